import type { Pool } from 'pg';
import { readBai2 } from '../support/reports/bai2.js';
import { readCamt053 } from '../support/reports/camt053.js';
import { readOfx } from '../support/reports/ofx.js';

/** What a ledger has for a month, as PostgreSQL sums it up. Amounts are signed decimals. */
export interface Ledger {
  readonly currency: string;
  readonly opening: string;
  readonly closing: string;
  readonly entries: readonly { readonly id: string; readonly day: string; readonly amount: string }[];
}

const LEDGER = `WITH entry AS (
    SELECT t.seq, t.transaction_id AS id, (t.posted_timestamp AT TIME ZONE a.time_zone)::date AS day,
      CASE t.debit_credit_memo WHEN 'CREDIT' THEN 1 ELSE -1 END * t.amount_minor AS minor
    FROM transaction t JOIN account a USING (account_id)
    WHERE t.account_id = $1 AND t.status = 'POSTED' AND t.debit_credit_memo IN ('CREDIT', 'DEBIT')),
  within AS (SELECT * FROM entry WHERE day BETWEEN $2::date AND $3::date)
  SELECT (SELECT currency FROM account WHERE account_id = $1) AS currency,
    (SELECT coalesce(sum(minor), 0)::text FROM entry WHERE day < $2::date) AS opening,
    (SELECT coalesce(sum(minor), 0)::text FROM entry WHERE day <= $3::date) AS closing,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'day', day, 'amount', minor::text) ORDER BY seq), '[]') FROM within) AS entries`;

/** Where the decimal point of these currencies is. */
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, BHD: 3 };

export async function ledgerOf(sql: Pool, account: string, [start, end]: readonly [string, string]): Promise<Ledger> {
  const { rows } = await sql.query<Ledger>(LEDGER, [account, start, end]);
  const [{ currency, opening, closing, entries }] = rows as [Ledger];
  const decimal = (minor: string): string => {
    const digits = DIGITS[currency] ?? 2;
    const text = minor.replace('-', '').padStart(digits + 1, '0');
    const sign = minor.startsWith('-') ? '-' : '';
    return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
  };
  return {
    currency,
    opening: decimal(opening),
    closing: decimal(closing),
    entries: entries.map(({ id, day, amount }) => ({
      id,
      day,
      amount: decimal(amount),
    })),
  };
}

export const FORMATS = ['camt.053', 'ofx', 'ofx1', 'bai2', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** How a file differs from the ledger, or null. What the format does not tell is not compared. */
export function difference(format: Format, bytes: Buffer, account: string, ledger: Ledger): string | null {
  const found = said(format, bytes, ledger);
  const { currency, opening, closing, entries } = ledger;
  const expected: ReportedLedger = {
    account: found.account === null ? null : account,
    currency,
    opening: found.opening === null ? null : opening,
    closing,
    entries: format === 'bai2' ? entries.toSorted(byDay) : entries,
  };
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  return one === other ? null : `${one.slice(0, 500)} is not ${other.slice(0, 500)}`;
}

interface ReportedLedger {
  /** Null where the format does not tell it. */
  readonly account: string | null;
  readonly currency: string;
  readonly opening: string | null;
  readonly closing: string;
  readonly entries: Ledger['entries'];
}

function said(format: Format, bytes: Buffer, { currency, closing: end }: Ledger): ReportedLedger {
  if (format === 'camt.053') {
    const { account, currency: told, opening, closing, entries } = readCamt053(bytes.toString());
    return {
      account,
      currency: told,
      opening,
      closing,
      entries: entries.map(({ reference, whole, bookedOn, amount }) => ({
        id: whole ?? reference,
        day: bookedOn,
        amount,
      })),
    };
  }
  if (format === 'ofx' || format === 'ofx1') {
    const { account, currency: told, balance, transactions } = readOfx(bytes);
    return {
      account,
      currency: told,
      opening: null,
      closing: balance,
      entries: transactions.map(({ FITID, DTPOSTED, TRNAMT }) => ({
        id: FITID,
        day: DTPOSTED,
        amount: TRNAMT,
      })),
    };
  }
  if (format === 'bai2') return saidInBai2(bytes, currency);
  const lines = bytes.toString().trimEnd().split('\r\n').slice(1);
  const rows = lines.map(line => /^([^,]*),([^,]*),.*,(CREDIT|DEBIT),([^,]*),([^,]*),([A-Z]{3})$/s.exec(line) ?? []);
  return {
    account: null,
    currency: rows[0]?.[6] ?? currency,
    opening: null,
    closing: rows.at(-1)?.[5] ?? end,
    entries: rows.map(([, day = '', id = '', side, amount = '']) => ({
      id,
      day,
      amount: side === 'DEBIT' ? `-${amount}` : amount,
    })),
  };
}

function saidInBai2(bytes: Buffer, currency: string): ReportedLedger {
  const { groups } = readBai2(bytes.toString('latin1'));
  const digits = DIGITS[currency] ?? 2;
  const decimal = (minor: bigint): string => {
    const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0');
    return `${minor < 0n ? '-' : ''}${digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`}`;
  };
  const balance = (at: number, code: string): string =>
    decimal(groups.at(at)?.accounts[0]?.summaries.get(code)?.[0] ?? 0n);
  return {
    account: groups[0]?.accounts[0]?.id ?? '',
    currency: groups[0]?.currency ?? '',
    opening: balance(0, '010'),
    closing: balance(-1, '015'),
    entries: groups.flatMap(({ date, accounts }) =>
      (accounts[0]?.transactions ?? []).map(({ type, amount, reference }) => ({
        id: reference,
        day: `${Number(date.slice(0, 2)) < 50 ? 20 : 19}${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4)}`,
        amount: decimal(Number(type) < 400 ? amount : -amount),
      })),
    ),
  };
}

function byDay(one: { readonly day: string }, other: { readonly day: string }): number {
  return one.day < other.day ? -1 : Number(one.day > other.day);
}
