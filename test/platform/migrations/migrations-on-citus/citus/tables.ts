export * from '../../../../../migrations/citus/tables.js';
