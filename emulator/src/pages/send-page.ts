import type { FastifyReply } from 'fastify'
import { iso, wholeSecond, type Clock } from '#src/clock/clock.ts'
import type { Html } from '#src/pages/html.ts'
import { pageHtml, type Tab } from '#src/pages/layout.ts'

/**
 * Sends a page that runs no script, submits forms only to this server and sends no referrer.
 * @param formAction origins that forms may lead to, also by a redirect
 */
export function sendPage(
  reply: FastifyReply,
  clock: Clock,
  title: string,
  content: Html,
  current?: Tab,
  formAction = "'self'",
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${formAction}`,
    )
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(pageHtml(title, current, iso(wholeSecond(clock.now())), content))
}
