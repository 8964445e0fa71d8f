import { azureOf, azureOperations } from './azure.ts'
import { azureNotFound, mountAzure, refuse } from './arm/mount.ts'
import { Refusal } from './arm/refusal.ts'
import { mountAzureControl } from './control.ts'
import { longTruthParts, truthParts } from './truth.ts'
import { graphNotFound, mountGraph } from './mount.ts'
import { mountTunnel } from './network/tunnel.ts'
import { mountPortal } from './portal-page.ts'
import { tenantIn } from './tenant.ts'
import { isTokenFor, mountToken } from './token.ts'
import { mountMachinePage } from './machine-table.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'
import { InvalidJson } from '@trainyard/platform/emulator/server.ts'
import { applyWorld, type WorldName } from './worlds.ts'

declare module '@trainyard/platform/emulator/part.ts' {
  interface PartOptions {
    /** Ready-made subscription. Default: the subscription of the last run; in the first run, `open`. */
    readonly world?: WorldName
  }
}

const azurePath = /^\/(?:subscriptions|providers|tenants)(?:[/?]|$)/i
const graphPath = /^\/v1\.0(?:[/?]|$)/i

/** Resources whose tokens Exchange Online accepts for SMTP. */
const smtpAudiences = ['https://outlook.office365.com', 'https://outlook.office.com']

/** Azure Resource Manager, Microsoft Entra ID and Microsoft Graph. */
export const azurePart: Part = {
  name: 'azure',
  mount(emulated) {
    const context = azureOf(emulated)
    const { server, cloud, clock, settings, options } = context
    if (options.world !== undefined) applyWorld(cloud, options.world)
    mountAzure(context, azureOperations(cloud))
    mountGraph(context)
    mountToken(server, context)
    mountPortal(server, context)
    mountAzureControl(context)
    mountMachinePage(context)
    const closeConnections = mountTunnel(server.server, context)
    server.addHook('preClose', async () => closeConnections())
    return {
      settle(now) {
        cloud.late.settle(now)
        cloud.operations.settle(now)
      },
      truth: truthParts(cloud),
      longTruth: longTruthParts(cloud),
      notFound: {
        path: new RegExp(`${azurePath.source}|${graphPath.source}`, 'i'),
        answer: (request, reply) =>
          azurePath.test(request.url) ? azureNotFound(request, reply) : graphNotFound(reply, clock.now()),
      },
      answerError(error, request, reply) {
        if (error instanceof Refusal) return refuse(reply, error)
        if (error instanceof InvalidJson) return refuse(reply, new Refusal(400, 'InvalidRequestContent', error.message))
        if (!azurePath.test(request.url)) return null
        const { statusCode: status = 500, message, stack } = error as Error & { statusCode?: number }
        if (status < 500) return refuse(reply, new Refusal(status, 'BadRequest', message))
        process.stderr.write(`${request.method} ${request.url}: ${stack}\n`)
        return refuse(reply, new Refusal(status, 'InternalServerError', message))
      },
      maySend: (user, token, now) =>
        tenantIn(settings).mailboxes.includes(user) && isTokenFor(token, smtpAudiences, now),
    }
  },
}
