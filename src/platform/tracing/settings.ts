import type { SettingGroup } from '../settings/setting.js';
import type { Settings } from '../settings/settings.js';

export interface TracingConfig {
  /** The collector's address, without the path for traces. */
  readonly endpoint: string;
  /** What every trace says of this process. */
  readonly resource: Readonly<Record<string, string>>;
  /** The share of traces that begin here, from 0 to 1. */
  readonly ratio: number;
}

const MAX_ATTRIBUTES = 100;
const MAX_CHARACTERS = 255;

/** Names and forms are those of the OpenTelemetry specification. */
export const TRACING_SETTINGS = {
  heading: 'Log, metrics and traces',
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      text: null,
      isValid: endpoint => /^https?:\/\//i.test(endpoint) && URL.canParse(endpoint),
      problem: 'must be an http or https address. Set such an address, or unset it to send no traces.',
      about:
        'The collector for traces, by OTLP over HTTP. The gateway adds `/v1/traces` to it, and reads `OTEL_EXPORTER_OTLP_HEADERS` as well.',
      unset: 'nothing is traced',
      example: 'http://127.0.0.1:4318',
    },
    OTEL_SERVICE_NAME: {
      text: null,
      about: 'The name of the gateway in traces.',
      unset: '`tillgate`',
      example: 'tillgate',
    },
    OTEL_RESOURCE_ATTRIBUTES: {
      parsed: {},
      parse: attributesOf,
      problem: `must be a list of at most ${MAX_ATTRIBUTES} attributes such as deployment.environment.name=production,service.namespace=bank, with special characters percent-encoded. Set such a list, or unset it.`,
      about:
        'Further attributes of the process in [traces](maintain.md#traces), as `key=value`, separated by commas, with special characters percent-encoded.',
      unset: 'none',
      example: 'deployment.environment.name=production,service.namespace=bank',
    },
    OTEL_TRACES_SAMPLER_ARG: {
      parsed: 1,
      parse: ratio => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(ratio) ? Number(ratio) : null),
      problem: 'must be a number from 0 to 1, such as 0.05. Set such a number, or unset it for 1.',
      about:
        'The fraction of traces that is kept, from 0 to 1. For a request with a `traceparent` its sender has decided.',
    },
  },
} as const satisfies SettingGroup;

/** Reads where traces are sent; null where nothing is traced. */
export function readTracing(settings: Settings): TracingConfig | null {
  const read = settings.read(TRACING_SETTINGS);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: name } = read;
  // A name of its own overrides a `service.name` among the attributes (OpenTelemetry SDK environment variables).
  const resource = { ...read.OTEL_RESOURCE_ATTRIBUTES, ...(name !== null && { 'service.name': name }) };
  const ratio = read.OTEL_TRACES_SAMPLER_ARG;
  return endpoint === null ? null : { endpoint: endpoint.replace(/\/+$/, ''), resource, ratio };
}

/**
 * `key=value,key=value`, both percent-encoded (OpenTelemetry specification, resource/sdk.md). Null if one attribute is
 * not valid.
 */
function attributesOf(text: string): Readonly<Record<string, string>> | null {
  const attributes = text
    .split(',')
    .filter(part => part.trim() !== '')
    .map(attributeOf);
  const valid = attributes.filter(attribute => attribute !== null);
  if (valid.length < attributes.length || valid.length > MAX_ATTRIBUTES) return null;
  return Object.fromEntries(valid);
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
