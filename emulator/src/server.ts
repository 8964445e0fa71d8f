import Fastify, { type FastifyInstance } from 'fastify'
import type { Aws } from '#src/aws/aws.ts'
import { mountAws } from '#src/aws/mount.ts'
import { azureNotFound, mountAzure, refuse, type EmulatorContext } from '#src/azure/arm/mount.ts'
import type { Operation } from '#src/azure/arm/operation.ts'
import { Refusal } from '#src/azure/arm/refusal.ts'
import { wholeSecond } from '#src/clock/clock.ts'
import { graphNotFound, mountGraph } from '#src/graph/mount.ts'
import { mountPortal } from '#src/graph/portal-page.ts'
import { mountToken } from '#src/graph/token.ts'
import { mountControl } from '#src/control/control.ts'
import { mountDns } from '#src/dns/mount.ts'
import type { Mailbox } from '#src/mail/mailbox.ts'
import { mountOpenId } from '#src/openid/mount.ts'
import { mountLti } from '#src/lti/mount.ts'
import { refuseOtherSites } from '#src/own-requests.ts'
import { mountPages } from '#src/pages/pages.ts'
import type { Razorpay } from '#src/razorpay/account.ts'
import { mountCheckout } from '#src/razorpay/checkout/routes.ts'
import { mountPaymentControl } from '#src/razorpay/control.ts'
import { mountRazorpay, razorpayNotFound } from '#src/razorpay/mount.ts'
import { mountDirectory } from '#src/scim/mount.ts'
import { mountTunnel } from '#src/ssh/tunnel.ts'
import { mountWebhooks } from '#src/webhooks/mount.ts'
import { authorise, refund } from '#src/razorpay/bank.ts'

const azurePath = /^\/(?:subscriptions|providers|tenants)(?:[/?]|$)/i
const graphPath = /^\/v1\.0(?:[/?]|$)/i
const razorpayPath = /^\/v1\/(?!checkout\/)/

export function buildServer(
  context: EmulatorContext,
  operations: readonly Operation[],
  mailbox: Mailbox,
  aws: Aws,
  razorpay: Razorpay,
): FastifyInstance {
  const server = Fastify({
    bodyLimit: 6 * 1024 * 1024,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 260 },
  })

  refuseOtherSites(server)

  // Clients send a JSON content type without a body on POST and DELETE, which is valid.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    if (request.url.endsWith('/sendMail') && /^text\/plain\b/.test(request.headers['content-type'] ?? '')) {
      done(null, text)
      return
    }
    if (text === '') {
      done(null, undefined)
      return
    }
    try {
      done(null, JSON.parse(String(text)))
    } catch {
      done(new Refusal(400, 'InvalidRequestContent', 'The request content was invalid and could not be deserialized.'))
    }
  })

  // Clients read the emulator's clock from this header for their billing.
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.header('date', new Date(wholeSecond(context.clock.now())).toUTCString())
    done()
  })

  server.setErrorHandler((error, request, reply) => {
    if (error instanceof Refusal) return refuse(reply, error)
    const status = (error as { statusCode?: number }).statusCode ?? 500
    const message = error instanceof Error ? error.message : String(error)
    if (status >= 500)
      process.stderr.write(`${request.method} ${request.url}: ${error instanceof Error ? error.stack : message}\n`)
    if (azurePath.test(request.url)) {
      return refuse(reply, new Refusal(status, status >= 500 ? 'InternalServerError' : 'BadRequest', message))
    }
    return reply.code(status).send({ error: message })
  })
  server.setNotFoundHandler((request, reply) => {
    if (azurePath.test(request.url)) return azureNotFound(request, reply)
    if (graphPath.test(request.url)) return graphNotFound(reply, context.clock.now())
    if (razorpayPath.test(request.url)) return razorpayNotFound(reply)
    return reply.code(404).send({ error: `The emulator has no route ${request.method} ${request.url}.` })
  })

  mountAzure(server, context, operations)
  mountGraph(server, context, mailbox)
  mountToken(server, context)
  mountPortal(server, context)
  mountAws(server, { ...context, aws, countCall: (operation) => context.cloud.calls.count(operation) })
  mountRazorpay(server, razorpay)
  mountCheckout(server, razorpay)
  mountPaymentControl(server, razorpay)
  const tunnel = mountTunnel(server.server, context)
  server.addHook('preClose', async () => tunnel.close())
  mountControl(server, context, mailbox, tunnel, aws, razorpay)
  mountDns(server, context.cloud.settings)
  mountOpenId(server, context)
  mountLti(server, context)
  mountWebhooks(server, context)
  mountDirectory(server, context)
  mountPages(server, context, mailbox, razorpay)
  mountPaymentButtons(server, razorpay)
  return server
}

function mountPaymentButtons(server: FastifyInstance, razorpay: Razorpay): void {
  const { records, database } = razorpay
  server.post('/payments/:id/refund', (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment?.captured === 1 && payment.amount_refunded < payment.amount) {
      database.transaction(() => refund(razorpay, payment, payment.amount - payment.amount_refunded))
    }
    return reply.redirect('/payments', 303)
  })
  server.post('/payments/:id/authorise', (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment !== undefined) database.transaction(() => authorise(razorpay, payment.id))
    return reply.redirect('/payments', 303)
  })
}
