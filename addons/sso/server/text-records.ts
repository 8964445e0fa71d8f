import { Resolver } from 'node:dns/promises'
import { type TextRecords, TextRecordsError } from './text-records-provider.ts'

const NONE = new Set(['ENODATA', 'ENOTFOUND', 'ENONAME'])

/** @param servers addresses of name servers with or without a port; empty: the system's */
export function dnsTextRecords({ servers }: { readonly servers: readonly string[] }): TextRecords {
  return {
    async textsOf(name) {
      const resolver = new Resolver({ timeout: 2_000, tries: 2 })
      if (servers.length > 0) resolver.setServers(servers)
      try {
        const records = await resolver.resolveTxt(name)
        return records.map((parts) => parts.join(''))
      } catch (error) {
        if (NONE.has((error as NodeJS.ErrnoException).code ?? '')) return []
        throw new TextRecordsError(`No name server responds for ${name}.`, { cause: error })
      }
    },
  }
}
