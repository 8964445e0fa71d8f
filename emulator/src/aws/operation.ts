import { invalid } from '#src/aws/refusal.ts'

export const services = ['iam', 'sts', 'organizations'] as const
export type AwsService = (typeof services)[number]

/** The contents of requests and replies: texts, numbers, instants, lists and structures of them. */
export type Value = string | number | boolean | Date | undefined | readonly Value[] | Structure
export interface Structure {
  readonly [member: string]: Value
}

/** One operation, by the name it has in AWS's own model. */
export interface AwsOperation {
  readonly service: AwsService
  readonly action: string
  /** True for what changes nothing. */
  readonly reads: boolean
  /** Runs inside one transaction; a thrown AwsRefusal undoes it and becomes the reply. */
  handle(call: AwsCall): Structure | undefined
}

export interface AwsCall {
  /** The account in whose name the call is made: the caller's. */
  readonly account: string
  readonly arn: string
  readonly input: Structure
  /** The emulator's clock, in milliseconds, read once for the whole call. */
  readonly now: number
  /** Milliseconds until readers see what this call changes. */
  readonly lag: number
}

export function text(call: AwsCall, member: string): string {
  const value = call.input[member]
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`Value null at '${member}' failed to satisfy constraint: Member must not be null`)
}

export function optionalText(call: AwsCall, member: string): string | undefined {
  const value = call.input[member]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function list(call: AwsCall, member: string): readonly Structure[] {
  const value = call.input[member]
  return Array.isArray(value) ? (value as Structure[]) : []
}

/** One page of rows, with AWS's marker for the next one. */
export function page<Row>(
  call: AwsCall,
  rows: readonly Row[],
  name: (row: Row) => string,
): { rows: readonly Row[]; rest: { IsTruncated: boolean; Marker: string | undefined } } {
  const size = Number(optionalText(call, 'MaxItems') ?? '100')
  if (!Number.isInteger(size) || size < 1 || size > 1000) {
    throw invalid(`Value '${size}' at 'maxItems' failed to satisfy constraint: Member must be between 1 and 1000`)
  }
  const marker = optionalText(call, 'Marker')
  const after = marker === undefined ? undefined : Buffer.from(marker, 'base64url').toString('utf8')
  const left = after === undefined ? rows : rows.filter((row) => name(row) > after)
  const shown = left.slice(0, size)
  const last = shown.at(-1)
  const truncated = left.length > shown.length && last !== undefined
  return {
    rows: shown,
    rest: {
      IsTruncated: truncated,
      Marker: truncated ? Buffer.from(name(last), 'utf8').toString('base64url') : undefined,
    },
  }
}
