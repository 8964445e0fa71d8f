import type { FastifyReply } from 'fastify'
import { iso, wholeSecond } from '../clock/clock.ts'
import type { Html } from './html.ts'
import { pageHtml } from './layout.ts'
import type { Emulated } from '../part.ts'

/**
 * Sends a page that runs no script, submits forms only to this server and sends no referrer.
 * @param current path of the tab
 * @param formAction origins that forms may lead to, also by a redirect
 */
export function sendPage(
  reply: FastifyReply,
  { clock, tabs }: Pick<Emulated, 'clock' | 'tabs'>,
  title: string,
  content: Html,
  current?: string,
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
    .send(pageHtml(title, { tabs, current, now: iso(wholeSecond(clock.now())), content }))
}
