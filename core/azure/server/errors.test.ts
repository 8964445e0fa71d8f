import { RestError } from '@azure/core-rest-pipeline'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { AzureCall } from './call-log.ts'
import { azureMachines } from './machines.ts'
import { asCloudError } from './errors.ts'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'

/** Failures of a call on a real socket, each with the adapter's error for it. */

type Reply = (request: IncomingMessage, response: ServerResponse) => void

let server: Server
let base: string
let reply: Reply
let requests = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1
    reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const log: AzureCall[] = []

function cloud(emulatorUrl = base) {
  return azureMachines({
    log: (call) => log.push(call),
    subscriptionId: '00000000-0000-0000-0000-000000000000',
    credential: { getToken: async () => ({ token: 'secret-token', expiresOnTimestamp: Date.now() + 3_600_000 }) },
    emulatorUrl,
  })
}

const place = { resourceGroup: 'acme-labs', name: 'lab-1' }

async function errorOf(call: Promise<unknown>): Promise<CloudError> {
  try {
    await call
  } catch (problem) {
    if (problem instanceof CloudError) return problem
    throw problem
  }
  throw new Error('The call did not fail.')
}

function refusal(status: number, code: string, message = 'Words.', headers: Record<string, string> = {}): Reply {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { code, message } }))
  }
}

/** An error whose reason is in the details, as Azure's network returns it. */
function detailed(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const details = [{ code, message: 'Words.', details: [] }]
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { code: 'RetryableError', message: 'A retryable error occurred.', details } }))
  }
}

function capitals(status: number, code: string): Reply {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ Error: { Code: code, Target: null, Message: 'Words.', Details: [] } }))
  }
}

/** Every resource that is read or created exists. */
const existing: Reply = (request, response) => {
  const id = new URL(request.url ?? '', base).pathname
  const subnets = [{ id: `${id}/subnets/default`, name: 'default' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id, properties: { provisioningState: 'Succeeded', subnets } }))
}

describe('a refusal', () => {
  test.each([
    [429, 'TooManyRequests', 'throttled'],
    [429, 'RetryableErrorDueToAnotherOperation', 'throttled'],
    [409, 'SkuNotAvailable', 'capacity'],
    [409, 'AllocationFailed', 'capacity'],
    [409, 'ZonalAllocationFailed', 'capacity'],
    [409, 'OverconstrainedAllocationRequest', 'capacity'],
    [409, 'QuotaExceeded', 'quota'],
    [400, 'PublicIPCountLimitReached', 'quota'],
    [401, 'InvalidAuthenticationToken', 'unauthorised'],
    [403, 'AuthorizationFailed', 'unauthorised'],
    [404, 'SubscriptionNotFound', 'unauthorised'],
    [403, 'RequestDisallowedByPolicy', 'refused'],
    [409, 'PropertyChangeNotAllowed', 'refused'],
    [400, 'InvalidParameter', 'refused'],
    [409, 'Conflict', 'conflict'],
    [404, 'ResourceNotFound', 'conflict'],
    [400, 'InvalidResourceReference', 'conflict'],
    [500, 'InternalServerError', 'unreachable'],
    [503, 'ServerBusy', 'unreachable'],
  ])('maps %i %s to %s', async (status, code, kind) => {
    reply = refusal(status, code)
    expect((await errorOf(cloud().startMachine(place, AbortSignal.timeout(20_000)))).kind).toBe(kind)
  })

  test.each<[string, Reply, Partial<CloudError>]>([
    [
      'names a pause, as the network asks for it',
      detailed(429, 'RetryableErrorDueToAnotherOperation', { 'retry-after': '11' }),
      { kind: 'throttled', retryAfter: 11, final: false },
    ],
    [
      'names no pause, as the network asks for it',
      detailed(429, 'ReferencedResourceNotProvisioned'),
      { kind: 'throttled', retryAfter: null, maxRetrySeconds: 5 },
    ],
    [
      'is about the rate, though its code is that of a quota',
      refusal(429, 'OperationNotAllowed', 'exceeding approved quota', { 'retry-after': '3' }),
      { kind: 'throttled', retryAfter: 3 },
    ],
    ['writes its fields with capitals', capitals(409, 'ResourceGroupDeletionTimeout'), { kind: 'conflict' }],
  ])('is understood if it %s', async (_, how, expected) => {
    reply = how
    expect(await errorOf(cloud().startMachine(place, AbortSignal.timeout(20_000)))).toMatchObject(expected)
  })

  const constraints = "Constraints applied are: 'Availability Zone'"
  const allocation = { code: 'OverconstrainedZonalAllocationRequest', message: `Allocation failed. ${constraints}.` }
  const failedOperation = { code: 'ResourceOperationFailure', message: "Terminal provisioning state 'Failed'." }
  test.each<[string, object]>([
    ['details', { error: { ...failedOperation, details: [allocation] } }],
    ['a detail without a code', { error: { ...failedOperation, details: [{ details: [allocation] }] } }],
    [
      'details of details',
      { status: 'Failed', error: { ...failedOperation, details: [{ code: 'Conflict', details: [allocation] }] } },
    ],
    [
      'innererror',
      { error: { code: 'DeploymentFailed', message: '', innererror: { code: 'X', innererror: allocation } } },
    ],
    [
      'a message with JSON',
      {
        error: {
          code: 'DeploymentFailed',
          message: `Failed: ${JSON.stringify({ status: 'Failed', error: { ...failedOperation, details: [allocation] } })}`,
        },
      },
    ],
  ])('is explained by its innermost error, in %s', async (_where, body) => {
    reply = (_, response) => {
      response.writeHead(409, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const error = await errorOf(cloud().startMachine(place, AbortSignal.timeout(20_000)))
    expect(error).toMatchObject({ kind: 'capacity', final: false, message: expect.stringContaining(constraints) })
    expect(error.message).not.toContain('Terminal')
  })

  test('is explained by its innermost error if no error is known', async () => {
    reply = (_, response) => {
      response.writeHead(409, { 'content-type': 'application/json' })
      const details = [{ code: 'NewReason', message: 'The rack is on fire.' }]
      response.end(JSON.stringify({ error: { ...failedOperation, details } }))
    }
    const error = await errorOf(cloud().startMachine(place, AbortSignal.timeout(20_000)))
    expect(error.message).toBe('Azure cannot start the machine lab-1 at present (NewReason): The rack is on fire.')
  })

  test('does not report a machine as absent because of a nested error', async () => {
    reply = (_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      const details = [{ code: 'ResourceNotFound', message: 'The disk does not exist.' }]
      response.end(JSON.stringify({ error: { ...failedOperation, details } }))
    }
    expect((await errorOf(cloud().getMachine(place, AbortSignal.timeout(20_000)))).kind).toBe('unreachable')
  })

  test.each([
    [404, 'PlatformImageNotFound', 'refused'],
    [400, 'ResourcePurchaseValidationFailed', 'refused'],
    [400, 'InvalidParameter', 'refused'],
    [403, 'RequestDisallowedByPolicy', 'refused'],
    [403, 'AuthorizationFailed', 'unauthorised'],
  ])('of a creation (%i %s) is final', async (status, code, kind) => {
    reply = (request, response) => {
      const ofMachine = request.method === 'PUT' && request.url?.includes('virtualMachines') === true
      if (ofMachine) refusal(status, code, 'It will not be.')(request, response)
      else existing(request, response)
    }
    const refused = await errorOf(cloud().createMachine(machineSpec(1), AbortSignal.timeout(20_000)))
    expect(refused).toMatchObject({ kind, final: true })
  })

  test('is a quota error or a conflict for OperationNotAllowed, depending on the message', async () => {
    reply = refusal(409, 'OperationNotAllowed', 'exceeding approved Total Regional Cores quota')
    const quota = await errorOf(cloud().startMachine(place, AbortSignal.timeout(20_000)))
    expect(quota.message).toBe(
      "The subscription's limit at Azure is reached. Request a higher limit, or delete unused resources. The portal retries automatically. Azure: exceeding approved Total Regional Cores quota.",
    )
    reply = refusal(409, 'OperationNotAllowed', 'The machine is being deleted.')
    expect((await errorOf(cloud().startMachine(place, AbortSignal.timeout(20_000)))).kind).toBe('conflict')
  })

  test('is not retried by the SDK, because the reconciler retries', async () => {
    reply = refusal(503, 'ServerBusy', 'Busy.', { 'retry-after': '7' })
    requests = 0
    const error = await errorOf(cloud().stopMachine(place, AbortSignal.timeout(20_000)))
    expect([error.retryAfter, requests]).toEqual([7, 1])
  })

  test('is logged with Azure’s request id and without secrets', async () => {
    reply = refusal(409, 'Conflict', 'Busy.', { 'x-ms-request-id': 'r-1' })
    log.length = 0
    await errorOf(cloud().stopMachine(place, AbortSignal.timeout(20_000)))
    const path =
      '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/acme-labs/providers/Microsoft.Compute/virtualMachines/lab-1/deallocate'
    expect(log).toEqual([{ method: 'POST', path, status: 409, milliseconds: expect.any(Number), requestId: 'r-1' }])
  })

  test('reads a Retry-After date', async () => {
    reply = refusal(429, 'TooManyRequests', 'Slow.', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() })
    const { retryAfter } = await errorOf(cloud().stopMachine(place, AbortSignal.timeout(20_000)))
    expect(retryAfter).toBeGreaterThan(55)
    expect(retryAfter).toBeLessThanOrEqual(61)
  })

  test.each([
    ['in a word', 'No Correct-Horse-7 here'],
    ['where a long sentence is cut', `${'x'.repeat(283)} Correct-Horse-7`],
  ])('never shows the password, quoted %s, or the token', async (_, quote) => {
    reply = (request, response) => {
      if (request.method === 'PUT' && request.url?.includes('/virtualMachines/')) {
        return refusal(400, 'InvalidParameter', quote)(request, response)
      }
      const subnets = [{ id: 'subnet', name: 'default' }]
      const properties = { provisioningState: 'Succeeded', subnets, securityRules: [{ name: 'trainyard-ssh' }] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'thing', properties }))
    }
    const created = errorOf(cloud().createMachine(machineSpec(1), AbortSignal.timeout(20_000)))
    const account = { ...machineSpec(1), username: 'trainee', password: 'Correct-Horse-7', passwordNumber: 1 }
    const changed = errorOf(cloud().setPassword(account, AbortSignal.timeout(20_000)))
    for (const error of [await created, await changed]) {
      expect(error.message).toMatch(/No \(password\) here|x+ /)
      const all = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error.stack) + String(error.cause)
      expect(all).not.toMatch(/Correct-H|secret-token/)
    }
  })
})

describe('a call without a readable response', () => {
  test.each<[string, Reply]>([
    ['a connection that breaks', (request) => request.socket.destroy()],
    [
      'a reply cut short',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99' })
        response.write('{"id":')
        response.destroy()
      },
    ],
    [
      'a reply that is not JSON',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    ],
    ['the page of some proxy', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['a 404 of some proxy', (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>')],
    ['an empty object', (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ])('fails as unreachable: %s', async (_, how) => {
    reply = how
    const readError = await errorOf(cloud().getMachine(place, AbortSignal.timeout(20_000)))
    expect(readError.kind).toBe('unreachable')
    const all = cloud().listMachines(AbortSignal.timeout(20_000))[Symbol.asyncIterator]()
    expect((await errorOf(all.next())).kind).toBe('unreachable')
    const offers = cloud().getOffers('southindia', AbortSignal.timeout(20_000))
    expect((await errorOf(offers)).kind).toBe('unreachable')
  })

  test('reports a refused connection', async () => {
    const error = await errorOf(cloud('http://127.0.0.1:9').startMachine(place, AbortSignal.timeout(20_000)))
    expect(error.message).toBe('The request to Azure to start the machine lab-1 failed: no response (ECONNREFUSED).')
  })

  test('aborts a response that never ends when the caller aborts', async () => {
    reply = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    const error = await errorOf(cloud().getMachine(place, AbortSignal.timeout(300)))
    expect(error.message).toBe('Azure did not respond in time to the request to read the machine lab-1.')
  })
})

describe('a failure before a response', () => {
  const named = (name: string, message = 'no') => Object.assign(new Error(message), { name })
  const restError = (overrides: Partial<RestError>) => Object.assign(new RestError('It\n broke.'), overrides)

  test.each<[unknown, string, RegExp]>([
    [named('AbortError'), 'unreachable', /^Azure did not respond in time to the request to create it\.$/],
    [named('TimeoutError'), 'unreachable', /did not respond in time/],
    [named('AuthenticationError'), 'unauthorised', /could not sign in to Azure/],
    [named('CredentialUnavailableError'), 'unauthorised', /could not sign in to Azure/],
    [named('AggregateAuthenticationError'), 'unauthorised', /could not sign in to Azure/],
    [named('AuthenticationRequiredError'), 'unauthorised', /could not sign in to Azure/],
    // The SDK validates some patterns before it sends a request.
    [
      named('Error', '"name" should satisfy the constraint "Pattern"'),
      'refused',
      /^The request to Azure to create it is invalid: "name"/,
    ],
    [
      named('Error', 'name cannot be null or undefined.'),
      'refused',
      /^The request to Azure to create it is invalid: name/,
    ],
    [
      restError({ code: 'ENOTFOUND' }),
      'unreachable',
      /^The request to Azure to create it failed: no response \(ENOTFOUND\)\.$/,
    ],
    [restError({}), 'unreachable', /failed: no response \(unknown\)/],
    [restError({ code: 'PARSE_ERROR', statusCode: 200 }), 'unreachable', /failed: the response could not be read\.$/],
    [restError({ statusCode: 400 }), 'refused', /^Azure refused to create it: It broke\.$/],
    [restError({ statusCode: 403 }), 'unauthorised', /\(unknown\)\. Check the portal's credentials/],
  ])('maps %s to %s', (problem, kind, message) => {
    expect(asCloudError(problem, 'create it')).toMatchObject({ kind, message: expect.stringMatching(message) })
  })

  test.each([new TypeError('x is not a function'), 'text', undefined, new CloudError('quota', 'Told already.')])(
    'returns a bug or an existing CloudError unchanged (%s)',
    (problem) => {
      expect(asCloudError(problem, 'create it')).toBe(problem)
    },
  )
})
