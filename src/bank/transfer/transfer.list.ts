import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import { apart } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import { metadataCondition, wantedPairs } from '../../platform/repository/metadata-column.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import { instantPlaceOf, positionAt, type InstantPlace } from '../../shared/instant-place.js';
import { sliceOf, windowOf, type CursorRequest, type Listing, type Slice, type Window } from '../../shared/page.js';
import { TransferStatus, type TransferRead, type TransferView } from './transfer.entity.js';
import type { TransferFilter } from './transfer.inputs.js';
import { READ_PROGRAM_TRANSFERS } from './transfer.operations.js';
import { shown } from './transfer.record.js';
import type { TransferRepository } from './transfer.repository.js';

/** Before every place that a transfer can have. */
const NEWEST: InstantPlace = { at: 'infinity', id: '' };
const placeOf = (cursor: string, pointer: string): InstantPlace => instantPlaceOf(cursor, pointer, BANK_ID);

/** The transfers of a whole program, newest first: for the program's own clients, not for tokens of one customer. */
export class TransferList {
  constructor(
    private readonly database: Database,
    private readonly repository: TransferRepository,
  ) {}

  /** Throws `ProgramWideOnly`, `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, filter: TransferFilter): Listing<TransferView> {
    caller.require(READ_PROGRAM_TRANSFERS);
    const window = windowOf(request, placeOf);
    return {
      page: () => this.slice(caller.program, filter, window),
      total: () => this.count(caller.program, filter),
    };
  }

  /** A page of `list` as plain data. */
  async page(caller: Caller, request: CursorRequest, filter: TransferFilter): Promise<Slice<TransferView>> {
    const slice = await this.list(caller, request, filter).page();
    return { ...slice, nodes: slice.nodes.map(shown) };
  }

  private async slice(
    program: string,
    filter: TransferFilter,
    window: Window<InstantPlace>,
  ): Promise<Slice<TransferRead>> {
    const { after, before, limit, fromEnd } = window;
    const values: unknown[] = [];
    const parameter = (value: unknown): string => `$${values.push(value)}`;
    const { statuses, others } = conditionsOf(program, filter, parameter);
    const place = ({ at, id }: InstantPlace): string => `(${parameter(at)}::timestamptz, ${parameter(id)}::text)`;
    const direction = fromEnd ? 'ASC' : 'DESC';
    const list = {
      statuses,
      conditions: [
        ...others,
        `(t.made_at, t.transfer_id) < ${place(after ?? NEWEST)}`,
        ...(before === null ? [] : [`(t.made_at, t.transfer_id) > ${place(before)}`]),
      ],
      order: `ORDER BY t.made_at ${direction}, t.transfer_id ${direction} LIMIT ${parameter(limit + 1)}::int`,
    };
    const rows = await this.database.read(this.statement(list, filter), values);
    return sliceOf(
      rows.map(row => this.repository.read(row)),
      window,
      ({ madeAt, transferId }) => positionAt({ at: madeAt, id: transferId }),
    );
  }

  private statement({ statuses, conditions, order }: ListText, { references, metadata }: TransferFilter): Statement {
    const columns = this.repository.columns('t');
    const isListed = `t.status = ANY(${statuses})`;
    const plain = `SELECT ${columns} FROM transfer t WHERE ${[isListed, ...conditions].join(' AND ')} ${order}`;
    if (wantedPairs(metadata) !== null) {
      // The planner, which does not know the pairs, would walk through all transfers in their order.
      const chosen = `SELECT t.* FROM transfer t WHERE ${[isListed, ...conditions].join(' AND ')} OFFSET 0`;
      return statementOf(`SELECT ${columns} FROM (${chosen}) t ${order}`);
    }
    if (references) return statementOf(plain);
    // The newest of each status from a range of the index, which begins with it: what was reversed is rare.
    const each = ['t.status = s.status', ...conditions].join(' AND ');
    const newest = `SELECT t.* FROM transfer t WHERE ${each} ${order}`;
    const merged = `SELECT ${columns} FROM unnest(${statuses}) s(status) CROSS JOIN LATERAL (${newest}) t ${order}`;
    return apart(statementOf(merged), plain);
  }

  private async count(program: string, filter: TransferFilter): Promise<number> {
    const values: unknown[] = [];
    const { statuses, others } = conditionsOf(program, filter, value => `$${values.push(value)}`);
    const where = [`t.status = ANY(${statuses})`, ...others].join(' AND ');
    const text = `SELECT count(*)::int FROM transfer t WHERE ${where}`;
    const [row] = await this.database.read<[number]>(statementOf(text), values);
    return row?.[0] ?? 0;
  }
}

/** The parts of which the statement of a list is made, over a transfer `t`. */
interface ListText {
  readonly statuses: string;
  readonly conditions: readonly string[];
  readonly order: string;
}

function conditionsOf(
  program: string,
  { statuses, references, madeFrom, madeBefore, metadata }: TransferFilter,
  parameter: (value: unknown) => string,
): { readonly statuses: string; readonly others: readonly string[] } {
  const of = parameter(program);
  const pairs = wantedPairs(metadata);
  return {
    statuses: `${parameter(statuses ?? Object.keys(TransferStatus))}::text[]`,
    others: [
      `t.program = ${of}`,
      // A transfer has a row for each of its accounts.
      't.account_id = t.from_account_id',
      ...(references ? [`t.reference = ANY(${parameter(references)}::text[])`] : []),
      ...(madeFrom ? [`t.made_at >= ${parameter(madeFrom)}::timestamptz`] : []),
      ...(madeBefore ? [`t.made_at < ${parameter(madeBefore)}::timestamptz`] : []),
      ...(pairs === null ? [] : [metadataCondition('program', of, parameter(pairs))]),
    ],
  };
}
