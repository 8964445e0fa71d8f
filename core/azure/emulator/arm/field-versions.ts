import type { Operation } from './operation.ts'

/** First api-version with a field. A leading dot matches the field at any depth, otherwise only at the top level. */
type FirstShown = Readonly<Record<string, string>>

/** Derived from recordings: the oldest recorded api-version that has the field. */
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

/** Wraps operations: their replies omit fields that the call's api-version does not have. */
export function hideNewerFields(firstVersions: FirstShown, operations: readonly Operation[]): Operation[] {
  return operations.map((operation) => ({
    ...operation,
    handle(call) {
      const answer = operation.handle(call)
      return answer.body === undefined
        ? answer
        : { ...answer, body: withoutNewerFields(call.version, firstVersions, answer.body) }
    },
  }))
}

function withoutNewerFields(version: string, firstVersions: FirstShown, body: unknown, isTop = true): unknown {
  if (Array.isArray(body)) return body.map((item) => withoutNewerFields(version, firstVersions, item, isTop))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => (firstVersions[`.${name}`] ?? (isTop ? firstVersions[name] : undefined) ?? '') <= version)
      .map(([name, value]) => [name, withoutNewerFields(version, firstVersions, value, isTop && name === 'value')]),
  )
}
