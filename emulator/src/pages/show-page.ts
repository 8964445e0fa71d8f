import type { FastifyReply } from 'fastify'
import { iso, wholeSecond, type Clock } from '#src/clock/clock.ts'
import type { Html } from '#src/pages/html.ts'
import { page, type Tab } from '#src/pages/layout.ts'

/** Answers with a page for people: it runs no script, sends forms nowhere else, and tells nobody where one was. */
export function showPage(reply: FastifyReply, clock: Clock, title: string, content: Html, current?: Tab): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'",
    )
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(page(title, current, iso(wholeSecond(clock.now())), content))
}
