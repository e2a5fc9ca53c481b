import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { contractRecord } from '../../platform/http/json.js';
import { linksBehind, noQuery, queryOf, valuesOf } from '../../platform/http/query.js';
import { readInput, readRecord } from '../../platform/input/read-input.js';
import { fieldNamesOf, pick } from '../../platform/repository/fields.js';
import { Note, type NoteView } from './note.entity.js';
import { NoteInput, NoteQuery } from './note.inputs.js';
import { READ_NOTES } from './note.operations.js';
import type { NoteService } from './note.service.js';

const QUERY = ['accountId', 'transactionId', 'customerId', 'after', 'limit'] as const;
const FIELDS = fieldNamesOf(Note);

/** What operators write down for each other. */
export function noteRoutes(notes: NoteService): Router {
  const router = exactRouter();

  router.get('/notes', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_NOTES);
    const query = queryOf(req, QUERY);
    const { after, limit, ...filter } = readInput(NoteQuery, valuesOf(query, QUERY));
    const page = await notes.list(caller, { after: after ?? null, first: limit ?? null }, filter).page();
    res.json({ notes: page.nodes.map(toRest), links: linksBehind('/notes', query, page) });
  });

  router.post('/notes', noQuery, async (req, res) => {
    const caller = callerOf(req);
    notes.allow(caller);
    res.status(201).json(toRest(await notes.add(caller, readRecord(NoteInput, await readJson(req)))));
  });

  return refuseOtherMethods(router);
}

function toRest(note: NoteView): object {
  return contractRecord(pick<NoteView>(note, FIELDS));
}
