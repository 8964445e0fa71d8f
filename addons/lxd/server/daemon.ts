import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type LxdAddress, lxdClient } from './client.ts'
import { IMAGE_ALIASES } from './settings.ts'

const PATIENCE_MS = 10_000
const IMAGES = 'npm run images -w @trainyard/lxd'
const COMMANDS = [
  'apt-get install -y --no-install-recommends lxd lxd-client dnsmasq-base nftables btrfs-progs mmdebstrap',
  'npm run host -w @trainyard/lxd',
  IMAGES,
]

/**
 * Returns a line for the terminal if LXD answers and has the images of the demo.
 * @throws ConfigError with the commands that bring them up
 */
export async function requireDaemon(address: LxdAddress): Promise<string[]> {
  const client = lxdClient(address, 'default')
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    await client.send('read the server', '', {}, signal)
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    throw new ConfigError(
      `${error.message}\nOn Debian, these three commands as root bring up LXD on this host:\n${COMMANDS.map((each) => `  ${each}`).join('\n')}`,
      { cause: error },
    )
  }
  for (const alias of Object.values(IMAGE_ALIASES)) {
    if ((await client.find('read the image', `images/aliases/${alias}`, {}, signal)) !== null) continue
    throw new ConfigError(`LXD has no image ${alias}. This command builds it as root: ${IMAGES}`)
  }
  return ['Linux machines are real: LXD containers on this host. Windows machines are emulated.']
}
