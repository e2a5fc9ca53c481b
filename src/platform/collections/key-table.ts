/**
 * What is under way, by its key, as far as it is: a table of an object, since the tables that a `Map` leaves behind as things come and go
 * lead to the next ones, and keep what was in them (docs/adr/0016).
 */
export class KeyTable<Value> {
  private readonly table = Object.create(null) as Record<string, Value>;

  get(key: string): Value | undefined {
    return this.table[key];
  }

  set(key: string, value: Value): void {
    this.table[key] = value;
  }

  delete(key: string): void {
    delete this.table[key];
  }
}
