import type { DriverException } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Refusal } from '../../shared/errors.js';

/** MikroORM's driver. A refusal, such as that of a request whose time is over, stays what it is. */
export class Driver extends PostgreSqlDriver {
  override convertException(error: Error): DriverException {
    return error instanceof Refusal ? error : super.convertException(error);
  }
}
