import { connectionOf } from '../../platform/graphql/connection.js';
import { Account, type AccountView } from './account.entity.js';

/** A page of accounts. */
export const AccountConnection = connectionOf<AccountView>(Account);
