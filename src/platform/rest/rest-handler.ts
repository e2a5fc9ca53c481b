import type { Request, RequestHandler, Response } from 'express';
import { allowing, type Denial } from '../command/denial.js';
import { noBody, readJson } from '../http/body.js';
import { sendRecord, versionsIn } from '../http/conditions.js';
import { callerOf } from '../http/exchange.js';
import { PAGE_PARAMETERS, besidePage, booleanOf, linksBehind, noQuery, pageOf, queryOf } from '../http/query.js';
import { inputFields, type DescribedField } from '../input/input-schema.js';
import { readInput, readRecord } from '../input/read-input.js';
import type { DeclaredOperation } from '../../shared/operation.js';
import type { CursorRequest, Page, Slice } from '../../shared/page.js';
import type { VersionedRecord } from '../../shared/version.js';
import type { AnyRestWords, RestRequest, Route } from './rest-words.js';

/** Puts on record what a caller may not do. */
export interface Denying {
  readonly deny: (denial: Denial) => void;
}

/** Throws unless the caller has the scope of an operation. An attempt to write is put on record. */
export function allowingRequest(of: DeclaredOperation, route: Route, { deny }: Denying): (req: Request) => void {
  if (route.startsWith('GET ')) return req => callerOf(req).require(of);
  const allow = allowing(of, deny);
  return req => allow(callerOf(req), (req.params['accountId'] as string | undefined) ?? null);
}

/** The page of a request that asks for no other one. */
const FIRST_PAGE = pageOf(new URLSearchParams());

/** Answers a declared operation. */
export class RestHandler<Services> {
  private readonly fields: readonly DescribedField[];
  private readonly single: readonly string[];
  private readonly lists: readonly string[];

  constructor(
    private readonly route: Route,
    private readonly words: AnyRestWords<Services>,
    private readonly services: Services,
    /** Throws unless the caller has the scope, which is known before the request is read. */
    private readonly allow: (req: Request) => void,
  ) {
    const { query, page, dryRun, parameters = [] } = words;
    this.fields = query ? inputFields(query.input) : [];
    this.lists = this.fields.filter(isList).map(({ name }) => name);
    this.single = [
      ...(page ? PAGE_PARAMETERS : []),
      ...(dryRun ? ['dryRun'] : []),
      ...parameters.filter(one => one.in === 'query').map(({ name }) => name),
      ...this.fields.filter(field => !isList(field)).map(({ name }) => name),
    ];
  }

  get middleware(): readonly RequestHandler[] {
    const takesNoQuery = this.single.length + this.lists.length === 0;
    return [...(takesNoQuery ? [noQuery] : []), (req, res) => this.handle(req, res)];
  }

  private async handle(req: Request, res: Response): Promise<void> {
    this.allow(req);
    const { created, run } = this.words;
    const request = await this.read(req, res);
    const result = await run(request, this.services);
    const shown = await this.shown(result, request);
    if (created) res.status(201);
    if (typeof created === 'object') res.location(created.at(result, request));
    if (isTagged(this.route, this.words)) sendRecord(req, res, result as VersionedRecord, shown);
    else res.json(shown);
  }

  private async read(req: Request, res: Response): Promise<RestRequest> {
    const { query: described, page: isPage, path: parametersOfPath = {} } = this.words;
    const parameters = queryOf(req, this.single, this.lists);
    const dryRun = booleanOf(parameters, 'dryRun');
    const page = isPage ? pageOf(parameters) : FIRST_PAGE;
    const query = described && readInput(described.input, this.valuesOf(parameters));
    const body = await this.bodyOf(req);
    const path = Object.entries(req.params as Record<string, string>).map(([name, value]) => {
      const isUuid = parametersOfPath[name]?.schema['format'] === 'uuid';
      return [name, isUuid ? value.toLowerCase() : value] as const;
    });
    return {
      caller: callerOf(req),
      path: Object.fromEntries(path),
      query,
      body,
      dryRun,
      page,
      cursor: cursorOf(query),
      versions: versionsIn(req),
      parameters,
      req,
      res,
    };
  }

  /**
   * The values of a query for `readInput`, whose rules refuse what should be a number or true or false and is not. A
   * list has its elements in one parameter or in several.
   */
  private valuesOf(parameters: URLSearchParams): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const field of this.fields.filter(({ name }) => parameters.has(name))) {
      const texts = parameters.getAll(field.name);
      const [text = ''] = texts;
      const [form, valueOf] = FORMS[field.schema['type'] as string] ?? [];
      const value = form?.test(text) ? valueOf?.(text) : text;
      values[field.name] = isList(field) ? texts.flatMap(several => several.split(',')) : value;
    }
    return values;
  }

  /** A write whose path says all takes no body, or an empty object. */
  private async bodyOf(req: Request): Promise<object | undefined> {
    const { body } = this.words;
    if (body) return readRecord(body.input, await readJson(req, Object.keys(contentOf(body))));
    if (this.route.startsWith('POST ')) await noBody(req);
    return undefined;
  }

  private async shown(result: unknown, request: RestRequest): Promise<object> {
    const { words, services } = this;
    const show = async (element: unknown): Promise<object> =>
      words.show ? words.show(element, request, services) : (element as object);
    if (words.slice) {
      const slice = result as Slice<unknown>;
      const elements = await Promise.all(slice.nodes.map(show));
      return { [words.slice]: elements, links: linksBehind(this.addressOf(request), request.parameters, slice) };
    }
    if (!words.page) return show(result);
    if (words.showPage) return words.showPage(result, request);
    const { items, total } = result as Page<unknown>;
    const elements = await Promise.all(items.map(show));
    const filters = Object.fromEntries(this.fields.map(({ name }) => [name, request.parameters.get(name)]));
    return { [words.page.elements[0]]: elements, ...besidePage(this.addressOf(request), request.page, total, filters) };
  }

  private addressOf({ path }: RestRequest): string {
    const [, pattern = ''] = this.route.split(' ');
    return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  }
}

/** The forms in which a parameter has a value that is no text. */
const FORMS: Readonly<Record<string, readonly [RegExp, (text: string) => unknown]>> = {
  integer: [/^\d{1,15}$/, Number],
  boolean: [/^(true|false)$/, text => text === 'true'],
};

/** True for an answer with an entity tag. A deleted record has none: nothing more can be done with it. */
export function isTagged(route: Route, { versioned }: Pick<AnyRestWords<never>, 'versioned'>): boolean {
  return versioned === true && !route.startsWith('DELETE ');
}

/** The content types of a body in JSON, with their examples. */
export function contentOf({ example, mergePatch }: NonNullable<AnyRestWords<never>['body']>) {
  return {
    'application/json': { example },
    ...(mergePatch && { 'application/merge-patch+json': { example: mergePatch } }),
  };
}

function isList({ schema }: DescribedField): boolean {
  return schema['type'] === 'array';
}

function cursorOf(query: { readonly after?: string | null; readonly limit?: number | null } = {}): CursorRequest {
  return { after: query.after ?? null, first: query.limit ?? null };
}
