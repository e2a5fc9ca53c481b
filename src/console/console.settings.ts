/** How the console is served. */
export interface ConsoleSettings {
  /** Null: people sign in as one of the demo people. */
  readonly provider: null;
}

interface Reader {
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
}

/** Reads the settings that begin with CONSOLE. Null if the console is off. */
export function readConsoleSettings(settings: Reader, production: boolean): ConsoleSettings | null {
  const isOn = settings.choice('CONSOLE', ['true', 'false'], 'true') === 'true';
  return isOn && !production ? { provider: null } : null;
}
