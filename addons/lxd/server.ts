import { readFile } from 'node:fs/promises'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'
import type { LxdAddress } from './server/client.ts'
import type { LxdConfig } from './server/environment.ts'

export default serverModule({
  name: 'lxd',
  async connectWorker({ config: { lxd }, meters }, parts) {
    if (lxd === null) return {}
    const { lxdCloud } = await import('./server/lxd-cloud.ts')
    const cloud = lxdCloud({ ...lxd, address: await addressOf(lxd.at) })
    return { clouds: { ...parts.clouds, lxd: instrumented('lxd', cloud, meters) } }
  },
})

async function addressOf(at: LxdConfig['at']): Promise<LxdAddress> {
  if (at.kind === 'socket') return at
  const [own, serverCertificate] = await Promise.all([
    readFile(at.certificatePath, 'utf8'),
    readFile(at.serverCertificatePath, 'utf8'),
  ])
  return { kind: 'tls', url: at.url, certificate: own, key: own, serverCertificate }
}
