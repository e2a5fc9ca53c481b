import { Field, Float, ID, Int } from 'type-graphql';
import { DryRun } from '../../platform/graphql/flag.js';
import { ExpectedVersion } from '../../platform/graphql/expected-version.js';
import { EMAIL } from '../person/person.inputs.js';
import { Input } from '../../platform/input/input.js';
import {
  Between,
  Distinct,
  EachText,
  Fits,
  Matches,
  NotCleared,
  Size,
  Text,
  Together,
  rule,
} from '../../platform/input/rules.js';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';
import {
  StatementsWithoutActivity,
  type StatementsWithoutActivity as StatementsWithoutActivityWord,
} from './program.entity.js';
import {
  ProgramApprovalsInput,
  MAX_CLIENTS,
  MAX_CLIENT_ID,
  MAX_GROUPS,
  OneOfEachName,
  OperatorGroupInput,
  ProgramTransfersInput,
} from './program-rules.inputs.js';
import { MAX_PATH_CHARACTERS, MAX_PNG_BYTES, MAX_PNG_SIDE, isPathData, isPng, isViewBox } from './program.logo.js';

const MAX_CHARACTERS = 100;
const MAX_LINES = 6;
const MAX_RETENTION_YEARS = 100;
/** As many as box 16 of Form 1099-INT takes. */
const MAX_STATE_TAX_ID = 20;
/**
 * An employer identification number. None begins with 00. The other prefixes are not checked: the IRS adds to its list
 * of valid ones, and a payer with a new one would be refused.
 */
const EIN = /^(?!00)\d{2}-\d{7}$/;

@Input('The letterhead of the statements of a program.')
export class LetterheadInput {
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, { description: 'The issuer, such as `Harborlight Bank`.' })
  name!: string;

  @Size(0, MAX_LINES)
  @EachText(1, MAX_CHARACTERS)
  @Field(() => [String], { nullable: true, description: 'The lines of the address, at most 6.' })
  addressLines?: string[] | null;

  @Text(0, MAX_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The telephone number with its country code, such as `+1 503 555 0100`.',
  })
  telephone?: string | null;
}

@Input('The payer of the interest of the accounts of a program.')
export class PayerInput extends LetterheadInput {
  @Matches(EIN, 'an employer identification number such as 12-3456789; none begins with 00')
  @Field(() => String, { nullable: true, description: 'An employer identification number, such as `12-3456789`.' })
  taxId?: string | null;

  @Matches(/^[A-Z]{2}$/, 'the two letters of a state such as OR')
  @Field(() => String, { nullable: true, description: 'The state for box 15 of Forms 1099-INT, such as `OR`.' })
  state?: string | null;

  @Text(1, MAX_STATE_TAX_ID)
  @Together('state')
  @Field(() => String, {
    nullable: true,
    description: 'The number of the payer in that state, for box 16, such as `1234567-8`.',
  })
  stateTaxId?: string | null;
}

@Input('The contact for customers who find errors.')
export class ErrorResolutionInput {
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, { description: 'The telephone number, such as `+1 503 555 0111`.' })
  telephone!: string;

  @Matches(EMAIL, 'an e-mail address')
  @Text(0, MAX_CHARACTERS)
  @Field(() => String, { nullable: true, description: 'The e-mail address, such as `care@bank.example`.' })
  email?: string | null;

  @Size(1, MAX_LINES)
  @EachText(1, MAX_CHARACTERS)
  @Field(() => [String], { description: 'The postal address, 1 to 6 lines.' })
  addressLines!: string[];
}

@Input('The logo: a PNG, or outlines in one colour.')
export class LogoInput {
  @Fits(
    'picture',
    isPng,
    `Must be the base64 of a PNG of at most ${MAX_PNG_BYTES} bytes and ${MAX_PNG_SIDE} by ${MAX_PNG_SIDE} pixels, undamaged, with at most 8 bits a sample, neither interlaced nor animated.`,
  )
  @Field(() => String, { nullable: true, description: 'The PNG in base64.' })
  png?: string | null;

  @Fits(
    'picture',
    isPathData,
    `Must be SVG path data of at most ${MAX_PATH_CHARACTERS} characters: commands and numbers, with the flags of arcs separated.`,
  )
  @Together('viewBox')
  @Field(() => String, { nullable: true, description: 'Path data of outlines (SVG 2, 9.3).' })
  svgPath?: string | null;

  @rule({
    code: 'picture',
    detail: 'Must be four numbers: left, top, width and height, of which the last two are greater than 0.',
    holds: value => value === null || isViewBox(value),
  })
  @Together('svgPath')
  @Field(() => [Float], { nullable: true, description: 'Left, top, width and height of what is shown.' })
  viewBox?: number[] | null;

  @Matches(/^#[0-9a-fA-F]{6}$/, 'a colour such as #1f4e5f')
  @Together('svgPath')
  @Field(() => String, { nullable: true, description: 'The colour of the outlines, such as `#1f4e5f`.' })
  color?: string | null;
}

/** A PNG, or outlines. */
function isOnePicture(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const { png = null, svgPath = null } = value as LogoInput;
  return (png === null) !== (svgPath === null);
}

/** The record of a program beside its id and its name. */
@Input('The settings of a program.')
class ProgramSettings {
  @Field(() => LetterheadInput, { nullable: true, description: 'The letterhead of statements.' })
  letterhead?: LetterheadInput | null;

  @Field(() => PayerInput, { nullable: true, description: 'The payer of the interest of the accounts.' })
  payer?: PayerInput | null;

  @Field(() => ErrorResolutionInput, { nullable: true, description: 'The contact for customers who find errors.' })
  errorResolution?: ErrorResolutionInput | null;

  @rule({ code: 'picture', detail: 'Must have either png, or svgPath with viewBox.', holds: isOnePicture })
  @Field(() => LogoInput, { nullable: true, description: 'The picture at the head of documents.' })
  logo?: LogoInput | null;

  @Field(() => ProgramApprovalsInput, { nullable: true, description: 'The requests that wait for another person.' })
  approvals?: ProgramApprovalsInput | null;

  @Field(() => ProgramTransfersInput, { nullable: true, description: 'The rules of transfers.' })
  transfers?: ProgramTransfersInput | null;

  @Size(0, MAX_CLIENTS)
  @EachText(1, MAX_CLIENT_ID)
  @Distinct()
  @Field(() => [String], { nullable: true, description: 'The client ids of its systems, such as `harborlight-core`.' })
  clients?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'True if holds beyond the available amount are refused.' })
  checkFunds?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True if searches find no person by the beginning of a last name.',
  })
  exactSearch?: boolean | null;

  @Field(() => StatementsWithoutActivity, {
    nullable: true,
    description: 'The accounts that get a statement of a month in which they had no transaction.',
  })
  statementsWithoutActivity?: StatementsWithoutActivityWord | null;

  @OneOfEachName()
  @Size(0, MAX_GROUPS)
  @Field(() => [OperatorGroupInput], {
    nullable: true,
    description: 'The groups of the identity provider, with what they may do at the console.',
  })
  operatorGroups?: OperatorGroupInput[] | null;

  @Between(1, MAX_RETENTION_YEARS)
  @Field(() => Int, {
    nullable: true,
    description: 'The number of years after which a closed account is deleted, such as 7.',
  })
  retentionYears?: number | null;
}

@Input('A program in the records of the operator.')
export class ProgramRecord extends ProgramSettings {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID)
  programId!: string;

  @Text(1, MAX_CHARACTERS)
  @Field(() => String)
  name!: string;
}

@Input('The changes of a program. Null removes.')
export class ProgramPatch extends ProgramSettings {
  @NotCleared()
  @Text(1, MAX_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The name of the program for its operators, such as `Harborlight`.',
  })
  name?: string;
}

@Input('The changes of the program.')
export class UpdateProgramInput {
  @Field(() => ProgramPatch, { description: 'The changes.' })
  patch!: ProgramPatch;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}
