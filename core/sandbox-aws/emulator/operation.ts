import { invalid } from './refusal.ts'

export const services = ['iam', 'sts', 'organizations'] as const
export type AwsService = (typeof services)[number]

export type Value = string | number | boolean | Date | undefined | readonly Value[] | Structure
export interface Structure {
  readonly [member: string]: Value
}

export interface AwsOperation {
  readonly service: AwsService
  readonly action: string
  readonly isRead: boolean
  /** Runs in a transaction. A thrown AwsRefusal rolls it back and becomes the reply. */
  handle(call: AwsCall): Structure | undefined
}

export interface AwsCall {
  readonly account: string
  readonly arn: string
  readonly input: Structure
  readonly now: number
  /** Milliseconds until reads show the changes of this call. */
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
  const remaining = after === undefined ? rows : rows.filter((row) => name(row) > after)
  const pageRows = remaining.slice(0, size)
  const last = pageRows.at(-1)
  const truncated = remaining.length > pageRows.length && last !== undefined
  return {
    rows: pageRows,
    rest: {
      IsTruncated: truncated,
      Marker: truncated ? Buffer.from(name(last), 'utf8').toString('base64url') : undefined,
    },
  }
}
