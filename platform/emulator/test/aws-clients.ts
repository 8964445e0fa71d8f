import { IAMClient } from '@aws-sdk/client-iam'
import { OrganizationsClient } from '@aws-sdk/client-organizations'
import { STSClient } from '@aws-sdk/client-sts'
import { portalKey } from '@trainyard/sandbox-aws/emulator/cloud.ts'
import type { AwsExchange } from './aws-wire.ts'

export interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

interface WireRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
}

/**
 * Returns AWS's own SDK clients connected to the emulator, with the given key. Reports every exchange to `onExchange`. By
 * default a request is sent once; with empty `retries` the SDK retries as it chooses.
 */
export function awsClients(
  url: string,
  key: AwsKey = portalKey,
  onExchange: (exchange: AwsExchange) => void = () => {},
  retries: { readonly maxAttempts?: number } = { maxAttempts: 1 },
) {
  const requestHandler = {
    async handle(request: WireRequest) {
      const body = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : (request.body ?? '')
      const { headers } = request
      let reply: AwsExchange['reply'] = null
      try {
        const { host: _, ...sent } = headers
        const response = await fetch(`${url}${request.path}`, { method: request.method, headers: sent, body })
        reply = {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        }
      } finally {
        onExchange({ headers, body, reply })
      }
      return {
        response: { statusCode: reply.status, headers: { ...reply.headers }, body: Buffer.from(reply.body) },
      }
    },
  }
  const options = { endpoint: url, region: 'us-east-1', credentials: key, requestHandler, ...retries }
  return {
    iam: new IAMClient(options),
    sts: new STSClient(options),
    organizations: new OrganizationsClient(options),
  }
}
