import { afterEach } from 'vitest'
import { until } from '@trainyard/platform/test/until.ts'
import { openWatcher, type TestPage, type TestWatcher } from './terminal-page.ts'
import type { sharedTerminals } from './terminals.ts'

/** Returns functions to watch learners' terminals with the sessions of the test users. */
export function watchingOn(at: Awaited<ReturnType<typeof sharedTerminals>>) {
  const watchers: TestWatcher[] = []
  afterEach(() => {
    for (const watcher of watchers.splice(0)) watcher.close()
  })

  async function watchTicket(email: string, vmName: string, url = at.url): Promise<string> {
    const response = await fetch(`${url}/remote/watch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${at.tokens.get(email)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ vmName }),
    })
    const body = (await response.json()) as { password: string; message: string }
    if (!response.ok) throw new Error(`${response.status}: ${body.message}`)
    return body.password
  }

  async function pageWith(email: string, machine: string, ticket: string, url = at.url): Promise<TestWatcher> {
    const watcher = await openWatcher({ url, token: at.tokens.get(email)! })
    watchers.push(watcher)
    watcher.send({ kind: 'watch', machine, ticket })
    return watcher
  }

  const watch = async (email: string, machine: string, url = at.url): Promise<TestWatcher> =>
    pageWith(email, machine, await watchTicket(email, machine, url), url)

  /** Waits until the learner's page shows the expected watchers. */
  const waitForWatchers = (page: TestPage, description: string, is: (watchers: ReturnType<typeof of>) => boolean) =>
    until(description, async () => of(page), is)
  const of = (page: TestPage) => page.lastMessage('watchers')?.watchers ?? []

  /** Starts watching and lets the learner allow it. */
  async function allowed(page: TestPage, email: string, machine: string) {
    const watcher = await watch(email, machine)
    await watcher.firstMessage('asking')
    const waitForRequest = await waitForWatchers(page, 'they ask', (all) =>
      all.some((each) => each.email === email && !each.sees),
    )
    const { id } = waitForRequest.findLast((each) => each.email === email)!
    page.send({ kind: 'watcher', id, answer: 'allow' })
    await watcher.firstMessage('screen')
    return { watcher, id }
  }

  const waitForOutput = (watcher: TestWatcher, text: string) =>
    until(
      `the watcher is shown ${text}`,
      async () => watcher.printed(),
      (printed) => printed.includes(text),
    )
  return { watchTicket, pageWith, watch, shown: waitForWatchers, allowed, prints: waitForOutput }
}
