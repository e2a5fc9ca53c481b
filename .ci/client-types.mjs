// TypeScript of JSON Schema, as the OpenAPI document of the gateway and the schema of its events use it.

const METHODS = ['get', 'post', 'patch', 'delete', 'put'];
/** `Decimal`: an exact text. The client reads and writes these as JSON numbers. */
const AMOUNT = 'Decimal';

/** The type of a schema. `amount` is called with the name of each property that is a number with a fraction. */
export function typeOf(schema, amount = () => 'number', name) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return unique(alternatives.map(one => typeOf(one, amount, name)));
  if (schema.allOf) return schema.allOf.map(one => typeOf(one, amount, name)).join(' & ');
  return unique([schema.type ?? 'any'].flat().map(type => plain(type, schema, amount, name)));
}

function plain(type, schema, amount, name) {
  switch (type) {
    case 'object':
      return objectOf(schema, amount);
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, amount)})[]`;
    case 'integer':
      return 'number';
    case 'number':
      return name === undefined ? 'number' : amount(name);
    case 'any':
      return 'unknown';
    default:
      return type;
  }
}

function objectOf({ properties, required = [], additionalProperties }, amount) {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, amount) : 'unknown';
    return `Readonly<Record<string, ${values}>>`;
  }
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${docs(schema)}readonly ${key(name)}${optional}: ${typeOf(schema, amount, name)}`;
  });
  return `{ ${fields.join(';\n')} }`;
}

export function docs({ description, deprecated }) {
  if (!description) return '';
  return `/** ${description.replaceAll('*/', '* /')}${deprecated ? ' @deprecated' : ''} */\n`;
}

function unique(types) {
  return [...new Set(types)].join(' | ');
}

function key(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** What an OpenAPI document says of records and routes. */
export class RestTypes {
  /** Names of properties that are amounts, in answers and in bodies of requests. */
  read = new Set();
  sent = new Set();

  constructor(document) {
    this.document = document;
  }

  print() {
    const { schemas } = this.document.components;
    const bodies = new Set(this.namesIn(this.operations().map(({ operation }) => operation.requestBody)));
    const records = Object.entries(schemas).map(([name, schema]) => {
      const type = typeOf(schema, this.noting(bodies.has(name) ? this.sent : this.read));
      return `${docs(schema)}export type ${name} = ${type};`;
    });
    const routes = this.operations().map(operation => this.route(operation));
    this.refuseAmbiguous(Object.entries(schemas), bodies);
    return `import type { Decimal } from '../decimal.js';

${records.join('\n\n')}

/** What each route takes and answers. */
export interface Routes {
${routes.join('\n')}
}

/** Amounts in answers, by the names of their properties. */
export const AMOUNTS_READ = '${listed(this.read)}';

/** Amounts in bodies of requests. */
export const AMOUNTS_SENT = '${listed(this.sent)}';
`;
  }

  operations() {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      METHODS.filter(method => item[method]).map(method => ({ path, method, item, operation: item[method] })),
    );
  }

  route({ path, method, item, operation }) {
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(one => this.resolved(one));
    const fields = place =>
      parameters
        .filter(one => one.in === place)
        .map(({ name, required, description, schema }) => {
          const type = place === 'path' ? 'string' : queryType(schema);
          return `${docs({ description })}readonly ${key(name)}${required ? '' : '?'}: ${type}`;
        });
    const [paths, queries] = [fields('path'), fields('query')];
    const body = operation.requestBody && bodyOf(operation.requestBody);
    const asked = [
      paths.length > 0 && `readonly path: { ${paths.join(';\n')} }`,
      queries.length > 0 && `readonly query${queries.some(isRequired) ? '' : '?'}: { ${queries.join(';\n')} }`,
      body && `readonly body: ${body}`,
    ].filter(Boolean);
    return `${docs({ description: operation.summary ?? operation.description })}  '${method.toUpperCase()} ${path}': { readonly asked: { ${asked.join('; ')} }; readonly answer: ${this.answerOf(operation)} };`;
  }

  /** 202 is an error for the client, and so it is not among them. */
  answerOf({ responses }) {
    const answers = ['200', '201'].flatMap(status => {
      const json = this.resolved(responses[status] ?? {}).content?.['application/json'];
      return json ? [typeOf(json.schema ?? {}, this.noting(this.read))] : [];
    });
    return answers.length > 0 ? unique(answers) : 'unknown';
  }

  /** A part of the document, or the component that it refers to. */
  resolved(part) {
    if (!part.$ref) return part;
    const [kind, name] = part.$ref.split('/').slice(-2);
    return this.document.components[kind][name];
  }

  noting(names) {
    return name => {
      names.add(name);
      return AMOUNT;
    };
  }

  /** All records that are reached from here. */
  namesIn(value, found = new Set()) {
    if (typeof value !== 'object' || value === null) return found;
    const name = value.$ref?.split('/').at(-1);
    if (name && !found.has(name)) {
      found.add(name);
      this.namesIn(this.document.components.schemas[name], found);
    }
    for (const inner of Object.values(value)) this.namesIn(inner, found);
    return found;
  }

  /** The client knows amounts by their names alone. */
  refuseAmbiguous(schemas, bodies) {
    for (const [record, schema] of schemas) {
      const names = bodies.has(record) ? this.sent : this.read;
      const kind = bodies.has(record) ? 'string' : 'integer';
      for (const [name, property] of propertiesOf(schema)) {
        if (names.has(name) && [property.type].flat().includes(kind)) {
          throw new Error(`${record}.${name} is of type ${kind}, and ${name} is an amount elsewhere.`);
        }
      }
    }
  }
}

/** In the order of the alphabet. */
function listed(names) {
  return Array.from(names, String)
    .sort((one, other) => (one < other ? -1 : 1))
    .join(' ');
}

function propertiesOf(schema) {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries(schema.properties ?? {});
  return [...own, ...Object.values(schema).flatMap(inner => propertiesOf(inner))];
}

function bodyOf({ content }) {
  const json = content['application/json'];
  if (json) return typeOf(json.schema);
  if (content['application/x-www-form-urlencoded']) return 'URLSearchParams';
  return 'Blob';
}

/** A list may be one text with commas, which says nothing more. */
function queryType(schema) {
  if (schema.type !== 'array') return typeOf(schema);
  const [single = schema.items] = schema.items.anyOf ?? [];
  return `readonly (${typeOf(single)})[]`;
}

function isRequired(field) {
  return !/readonly [\w"-]+\?: /.test(field);
}
