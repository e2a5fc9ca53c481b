export interface TracingConfig {
  /** The collector's address, without the path for traces. */
  readonly endpoint: string;
  /** What every trace says of this process. */
  readonly resource: Readonly<Record<string, string>>;
  /** The share of traces that begin here, from 0 to 1. */
  readonly ratio: number;
}

interface Reader {
  text(name: string): string | null;
  refuse(name: string, problem: string): void;
}

const MAX_ATTRIBUTES = 100;
const MAX_CHARACTERS = 255;

/**
 * Reads where traces are sent; null where nothing is traced. Names and forms are those of the OpenTelemetry
 * specification.
 */
export function readTracing(settings: Reader): TracingConfig | null {
  const endpoint = settings.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const ratio = settings.text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const resource = readResource(settings);
  if (endpoint !== null && !(/^https?:\/\//i.test(endpoint) && URL.canParse(endpoint))) {
    settings.refuse(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'must be an http or https address. Set such an address, or unset it to send no traces.',
    );
  }
  if (!/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(ratio)) {
    settings.refuse(
      'OTEL_TRACES_SAMPLER_ARG',
      'must be a number from 0 to 1, such as 0.05. Set such a number, or unset it for 1.',
    );
  }
  return endpoint === null ? null : { endpoint: endpoint.replace(/\/+$/, ''), resource, ratio: Number(ratio) };
}

/**
 * `OTEL_SERVICE_NAME` overrides a `service.name` in `OTEL_RESOURCE_ATTRIBUTES` (OpenTelemetry SDK environment
 * variables).
 */
function readResource(settings: Reader): Readonly<Record<string, string>> {
  const name = settings.text('OTEL_SERVICE_NAME');
  return { ...readAttributes(settings), ...(name !== null && { 'service.name': name }) };
}

/**
 * `key=value,key=value`, both percent-encoded (OpenTelemetry specification, resource/sdk.md). One attribute that is not
 * valid makes the whole setting wrong.
 */
function readAttributes(settings: Reader): Readonly<Record<string, string>> {
  const text = settings.text('OTEL_RESOURCE_ATTRIBUTES') ?? '';
  const parts = text.split(',').filter(part => part.trim() !== '');
  const attributes = parts.map(attributeOf);
  if (parts.length > MAX_ATTRIBUTES || attributes.includes(null)) {
    settings.refuse(
      'OTEL_RESOURCE_ATTRIBUTES',
      `must be a list of at most ${MAX_ATTRIBUTES} attributes such as deployment.environment.name=production,service.namespace=bank, with special characters percent-encoded. Set such a list, or unset it.`,
    );
  }
  return Object.fromEntries(attributes.filter(attribute => attribute !== null));
}

function attributeOf(part: string): [key: string, value: string] | null {
  try {
    const [key = '', value, ...more] = part.split('=').map(piece => decodeURIComponent(piece.trim()));
    const isOne = key !== '' && value !== undefined && more.length === 0;
    return isOne && Math.max(key.length, value.length) <= MAX_CHARACTERS ? [key, value] : null;
  } catch {
    return null;
  }
}
