import type { Operation } from '#src/azure/arm/operation.ts'

/** First api-version that shows a field: of the resource itself, or anywhere in it where the name begins with a dot. */
type FirstShown = Readonly<Record<string, string>>

/** As recorded: the version before the first that is named here was seen without the field. */
export const firstShown = {
  groups: { type: '2020-06-01' },
  network: {
    '.nicType': '2020-11-01',
    '.vnetEncryptionSupported': '2020-11-01',
    '.ddosSettings': '2023-02-01',
    '.auxiliaryMode': '2024-03-01',
    '.auxiliarySku': '2024-03-01',
    '.disableTcpStateTracking': '2024-03-01',
    '.privateEndpointVNetPolicies': '2024-05-01',
  },
  machines: {
    etag: '2024-07-01',
    '.timeCreated': '2022-03-01',
    '.deleteOption': '2022-03-01',
    '.exactVersion': '2020-12-01',
    '.patchSettings': '2020-12-01',
    '.allowExtensionOperations': '2020-12-01',
    '.requireGuestProvisionSignal': '2020-12-01',
  },
  images: { type: '2019-12-01', '.hyperVGeneration': '2019-12-01', '.architecture': '2021-10-01' },
} satisfies Readonly<Record<string, FirstShown>>

/** Operations whose answers have the shape of the api-version that was asked for. */
export function inVersionAsked(shown: FirstShown, operations: readonly Operation[]): Operation[] {
  return operations.map((operation) => ({
    ...operation,
    handle(call) {
      const answer = operation.handle(call)
      return answer.body === undefined ? answer : { ...answer, body: asOf(call.version, shown, answer.body) }
    },
  }))
}

function asOf(version: string, shown: FirstShown, body: unknown, isTop = true): unknown {
  if (Array.isArray(body)) return body.map((item) => asOf(version, shown, item, isTop))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => (shown[`.${name}`] ?? (isTop ? shown[name] : undefined) ?? '') <= version)
      .map(([name, value]) => [name, asOf(version, shown, value, isTop && name === 'value')]),
  )
}
