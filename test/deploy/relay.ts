import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Passes bytes to a gateway and back, counts the connections, and can lose or hold back what the gateway answers. */
export class Relay {
  connections = 0;
  /** What becomes of the next bytes that the gateway sends. */
  answers: 'pass' | 'lose' | 'hold' = 'pass';
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(target: number) {
    this.server = createServer(near => {
      this.connections += 1;
      const far = connect(target, '127.0.0.1');
      for (const socket of [near, far]) this.keep(socket, socket === near ? far : near);
      near.pipe(far);
      far.on('data', bytes => {
        if (this.answers === 'pass') near.write(bytes);
        else if (this.answers === 'lose') near.resetAndDestroy();
      });
      far.on('end', () => near.end());
    });
  }

  static async start(url: string): Promise<Relay> {
    const relay = new Relay(Number(new URL(url).port));
    await new Promise<void>(resolve => relay.server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends all connections, and accepts none from now on. */
  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private keep(socket: Socket, other: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      this.sockets.delete(socket);
      other.destroy();
    });
  }
}
