import { beforeAll, describe, expect, test } from 'vitest'
import { officialContract, type Exchange, type OfficialContract } from './contract.ts'
import { exampleExchange } from './example-exchange.ts'
import { BATCHED_READS, OPERATIONS_IN_USE, SANDBOX_OPERATIONS_IN_USE } from './operations.ts'
import type { OfficialOperation } from './specification.ts'
import { SOURCE, specification } from './test-official.ts'

const IN_USE = [...new Set([...OPERATIONS_IN_USE, ...BATCHED_READS, ...SANDBOX_OPERATIONS_IN_USE])]

/** Operations with a body in the response. The others respond with a status only. */
const WITH_A_BODY = IN_USE.filter((id) => /_(Get|Create|List(All|\w*ResourceGroup)?|CreateOrUpdate)$/.test(id))

describe.skipIf(specification === null)(`the contract validator (${SOURCE})`, () => {
  let contract: OfficialContract
  beforeAll(async () => {
    if (specification !== null) contract = await officialContract(specification)
  })

  describe.each(IN_USE)('%s', (id) => {
    test('accepts every official example', async () => {
      const operation = official(id)
      for (const exchange of exchangesOf(operation)) {
        expect(await contract.validate(exchange)).toEqual({ operation: id, violations: [] })
      }
    })

    test('rejects a request with an unknown property or version', async () => {
      const [exchange] = exchangesOf(official(id))
      const verdict = await contract.validate(withWrongRequest(exchange))
      expect(verdict.violations.join()).toMatch(/OBJECT_ADDITIONAL_PROPERTIES|INVALID_TYPE|OPERATION_NOT_FOUND/)
    })

    test('rejects a response with an undocumented status', async () => {
      const [exchange] = exchangesOf(official(id))
      const verdict = await contract.validate({
        ...exchange,
        reply: { ...exchange.reply, status: 207 } as Exchange['reply'],
      })
      expect(verdict.violations.join()).toContain('INVALID_RESPONSE_CODE')
    })
  })

  test.each(WITH_A_BODY)('rejects a response of %s with a wrong type', async (id) => {
    const exchange = exchangesOf(official(id)).find(({ reply }) => reply?.body)
    const body = JSON.stringify(withWrongType(JSON.parse(exchange?.reply?.body ?? 'null')))
    const verdict = await contract.validate({ ...exchange, reply: { ...exchange?.reply, body } } as Exchange)
    expect(verdict.violations.join()).toContain('INVALID_TYPE')
  })

  test('rejects a call that Azure does not have', async () => {
    const url = 'https://management.azure.com/subscriptions/s/providers/Microsoft.Compute/dreams?api-version=2024-07-01'
    const verdict = await contract.validate({ method: 'GET', url, requestHeaders: {}, requestBody: null, reply: null })
    expect(verdict.violations.join()).toContain('OPERATION_NOT_FOUND')
  })
})

function official(id: string): OfficialOperation {
  const operation = specification?.operations.get(id)
  if (operation === undefined) throw new Error(`${id} is not an official operation.`)
  return operation
}

/** Returns the operation's official examples, one for each documented response. */
function exchangesOf(operation: OfficialOperation): [Exchange, ...Exchange[]] {
  const shown = [...operation.examples.values()].flatMap((example) =>
    Object.keys(example.responses).map((status) => withWhereToLook(exampleExchange(operation, example, status))),
  )
  const [first = withoutExample(operation), ...others] = shown
  return [first, ...others]
}

/** Adds a header that the contract requires and that the galleries' examples of a 202 lack. */
function withWhereToLook(exchange: Exchange): Exchange {
  const { reply } = exchange
  if (reply?.status !== 202) return exchange
  return { ...exchange, reply: { ...reply, headers: { location: 'https://management.azure.com/', ...reply.headers } } }
}

/** Builds an example for reading a resource group and for listing its resources, which Azure's files lack. */
function withoutExample(operation: OfficialOperation): Exchange {
  const [made] = official('ResourceGroups_CreateOrUpdate').examples.values()
  if (made === undefined) throw new Error('There is no official example of a resource group.')
  const group = exampleExchange(operation, made, '200')
  if (operation.id === 'ResourceGroups_Get') return group
  if (operation.id !== 'Resources_ListByResourceGroup') throw new Error(`${operation.id} has no example.`)
  const { id, name, location } = JSON.parse(group.reply?.body ?? '{}') as Record<string, string>
  const resource = { id: `${id}/providers/Microsoft.Network/publicIPAddresses/one`, name, location, type: 'a/b' }
  return { ...group, reply: { ...group.reply!, body: JSON.stringify({ value: [resource] }) } }
}

function withWrongRequest(exchange: Exchange): Exchange {
  if (exchange.requestBody !== null) {
    const body = JSON.parse(exchange.requestBody) as object
    return { ...exchange, requestBody: JSON.stringify({ ...body, location: 7, colour: 'red' }) }
  }
  return { ...exchange, url: exchange.url.replace(/api-version=[\d-]+/, 'api-version=1999-01-01') }
}

function withWrongType(body: unknown): unknown {
  return { ...(body as object), id: 7, value: 'not a list' }
}
