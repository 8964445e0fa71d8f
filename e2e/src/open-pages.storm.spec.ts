import { Agent, get } from 'node:http'
import { type Page } from '@playwright/test'
import type { Portal } from './portal.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Sixty open pages'
const QUERY = new URLSearchParams({ trainingName: TRAINING }).toString()
const SIZE = 60
const ROUNDS = 10
/** Limit in ms from a learner's click to the instructor's screen. */
const SHOWN_MS = 2_000

/** Opens the event streams of a learner's page: the class and the machines. Resolves when the server has replied. */
function openStreams(url: string, token: string, agent: Agent): Promise<unknown> {
  const paths = ['/api/azure/class/mine/events', `/api/azure/machines/events?${QUERY}`]
  return Promise.all(
    paths.map(
      (path) =>
        new Promise<void>((resolve, reject) => {
          get(url + path, { agent, headers: { authorization: `Bearer ${token}` } }, (reply) => {
            reply.on('error', () => {}).resume()
            if (reply.statusCode === 200) resolve()
            else reject(new Error(`${path} answered ${reply.statusCode}`))
          }).once('error', reject)
        }),
    ),
  )
}

async function openLearnerPages(portal: Portal, emails: readonly string[]): Promise<Agent> {
  const agent = new Agent({ maxSockets: Infinity })
  for (const email of emails) await openStreams(portal.url, await portal.sessionOf(email), agent)
  return agent
}

/** Records the time of the next click, in the page of the learner. */
const recordClick = (page: Page) =>
  page.evaluate(`addEventListener('click', () => { globalThis.clickedAt = Date.now() }, { once: true, capture: true })`)

/** Resolves with the time at which the page contains the text or no longer does, checked after each change of the page. */
const changedAt = (page: Page, text: string, isShown: boolean) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const check = () => document.querySelector('main').textContent.includes(${JSON.stringify(text)}) === ${isShown}
    if (check()) return resolve(0)
    const observer = new MutationObserver(() => {
      if (!check()) return
      observer.disconnect()
      resolve(Date.now())
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })`)

test('with 60 open learner pages, a hand is on the instructor’s screen within 2 s', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  const page = await signedIn('admin')
  const others = Array.from({ length: SIZE - 1 }, (_, index) => `open${index + 1}@acme.test`)
  await orderTraining(page, TRAINING, [DEMO_USERS.user, ...others])
  const agent = await openLearnerPages(portal, others)
  try {
    const learner = await newPageAs(DEMO_USERS.user)
    await page.goto(`/vm/class?training=${encodeURIComponent(TRAINING)}`)
    await expect(page.getByRole('button', { name: `Running ${SIZE}`, exact: true })).toBeVisible()
    const delays: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, isShown] of [
        [`Raise hand in ${TRAINING}`, true],
        [`Lower hand in ${TRAINING}`, false],
      ] as const) {
        const visible = changedAt(page, '1st', isShown)
        await recordClick(learner)
        await learner.getByRole('button', { name }).click()
        delays.push((await visible) - (await learner.evaluate<number>('clickedAt')))
      }
    }
    delays.sort((a, b) => a - b)
    console.log(`From click to the instructor's screen: median ${delays[ROUNDS]} ms, longest ${delays.at(-1)} ms.`)
    expect(delays[0]).toBeGreaterThan(0)
    expect(delays.at(-1)).toBeLessThan(SHOWN_MS)
  } finally {
    agent.destroy()
  }
})
