import { rmSync } from 'node:fs'
import { LiveValidator, type LiveValidationResult } from 'oav/dist/lib/liveValidation/liveValidator.js'
import { nameDefinitions } from '../../emulator/test/name-definitions.ts'
import { completeRoot } from './complete.ts'
import type { Specification } from './specification.ts'

/** A request and its response. `reply` is null if there was no response. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string | null
  readonly reply: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  } | null
}

export interface Verdict {
  /** `VirtualMachines_Get`, or method and path if the contract has no such operation. */
  readonly operation: string
  readonly violations: readonly string[]
}

export interface OfficialContract {
  validate(exchange: Exchange): Promise<Verdict>
}

interface ValidationResult {
  readonly isSuccessful?: boolean
  readonly errors: readonly { readonly code: string; readonly message: string; readonly pathsInPayload: string[] }[]
  readonly runtimeException?: LiveValidationResult['runtimeException']
  readonly operationInfo?: LiveValidationResult['operationInfo']
}

/** Validates messages with Azure's own validator (oav), offline. Loading takes about a second. */
export async function officialContract(specification: Specification): Promise<OfficialContract> {
  const { root, files, operations } = specification
  const complete = completeRoot(root)
  const validator = new LiveValidator(
    {
      directory: complete,
      swaggerPathsPattern: [...files],
      git: { shouldClone: false },
      // The background validator is disabled, because it would compile every operation of every file, most of which are
      // never called.
      loadValidatorInBackground: false,
      isArmCall: true,
    },
    // Silences oav, which logs to the console by default.
    () => {},
  )
  await validator.initialize()
  if (complete !== root) rmSync(complete, { recursive: true })
  // oav silently omits files that it cannot read, and then accepts their operations as unknown.
  if (validator.swaggerList.length !== files.length) throw new Error(`Not all official files were found in ${root}.`)
  nameDefinitions(validator)

  return {
    async validate({ method, url, requestHeaders, requestBody, reply }) {
      // oav receives copies, because it modifies its input (case of headers, dates).
      const liveRequest = {
        url,
        method,
        headers: { ...requestHeaders },
        ...(requestBody === null ? {} : { body: JSON.parse(requestBody) as Record<string, unknown> }),
      }
      if (reply === null) return verdict(method, url, [['request', await validator.validateLiveRequest(liveRequest)]])
      const liveResponse = {
        statusCode: String(reply.status),
        headers: { ...reply.headers },
        body: bodyOf(reply.body),
      }
      const result = await validator.validateLiveRequestResponse({ liveRequest, liveResponse })
      if (result.runtimeException) {
        return { operation: `${method} ${url}`, violations: [result.runtimeException.message] }
      }
      const { operationId } = result.requestValidationResult.operationInfo
      const silent = operations.get(operationId)?.documentsErrors === false && reply.status >= 400
      return verdict(method, url, [
        ['request', result.requestValidationResult],
        [`reply ${reply.status}`, silent ? errorShape(liveResponse.body) : result.responseValidationResult],
      ])
    },
  }
}

/** Validates an error response that the contract does not document, by Azure's common error shape. */
function errorShape(body: Record<string, unknown>): ValidationResult {
  const { error } = body
  const fits = typeof error === 'object' && error !== null && 'code' in error && 'message' in error
  const problem = { code: 'NOT_AN_ERROR', message: 'Expected { error: { code, message } }', pathsInPayload: [] }
  return { isSuccessful: fits, errors: fits ? [] : [problem] }
}

function bodyOf(text: string | null): Record<string, unknown> {
  if (text === null || text === '') return {}
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { notJson: text.slice(0, 200) }
  }
}

function verdict(method: string, url: string, parts: readonly (readonly [string, ValidationResult])[]): Verdict {
  const { pathname, searchParams } = new URL(url)
  const known = parts[0]?.[1].operationInfo?.operationId
  const operation = known === undefined || known === 'unknownOperationId' ? `${method} ${pathname}` : known
  const violations = parts.flatMap(([side, { errors, isSuccessful, runtimeException }]) => {
    // If oav could not validate, isSuccessful is undefined instead of false. That also counts as a failure.
    if (runtimeException) return [`${side}: ${runtimeException.code} ${runtimeException.message}`]
    const violations = errors.map(
      (error) => `${side}: ${error.code} ${error.message} (${error.pathsInPayload.join(', ')})`,
    )
    return isSuccessful === true || violations.length > 0 ? violations : [`${side}: could not be validated`]
  })
  return {
    operation,
    violations: violations.map(
      (violations) => `${operation} api-version=${searchParams.get('api-version')} ${violations}`,
    ),
  }
}
