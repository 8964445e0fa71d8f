const SUBSCRIPTION = '/subscriptions/00000000-0000-4000-8000-000000000001'

const location = 'southindia'

/**
 * Creates a virtual network in the emulator, as an operator does before private machines are ordered in it.
 * @param name of the resource group and the network, separated by a slash
 */
export async function createVirtualNetwork(emulatorUrl: string, name: string, tags = {}): Promise<void> {
  const [group, network] = name.split('/')
  const path = `${emulatorUrl}${SUBSCRIPTION}/resourceGroups/${group}`
  const arm = async (method: string, url: string, body?: object) => {
    const reply = await fetch(url, {
      method,
      headers: { authorization: 'Bearer operator', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!reply.ok && method !== 'GET') throw new Error(`${method} ${url}: ${reply.status} ${await reply.text()}`)
    return reply.ok
  }
  const groupUrl = `${path}?api-version=2024-11-01`
  if (!(await arm('GET', groupUrl))) await arm('PUT', groupUrl, { location, tags })
  const networkUrl = `${path}/providers/Microsoft.Network/virtualNetworks/${network}?api-version=2024-05-01`
  if (await arm('GET', networkUrl)) return
  const subnets = [{ name: 'default', properties: { addressPrefix: '10.0.0.0/16' } }]
  const properties = { addressSpace: { addressPrefixes: ['10.0.0.0/8'] }, subnets }
  await arm('PUT', networkUrl, { location, tags, properties })
}
