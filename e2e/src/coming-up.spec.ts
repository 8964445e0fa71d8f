import { startPortal } from './portal.ts'
import { ACCOUNTS, expect, signIn, test } from './test.ts'

const LEARNERS = ['one@acme.test', 'two@acme.test', 'three@acme.test']
const TRAINING = 'Coming Up'

test('ordered machines go from Creating to Running on a screen that stays open', async ({ browser }) => {
  test.slow(true, 'It starts a portal of its own, which a slow machine needs a minute for.')
  // Creating takes 3 to 18 s here, as npm start has it, so that there is something to watch.
  const portal = await startPortal(0.1)
  const context = await browser.newContext({ baseURL: portal.url })
  try {
    const page = await context.newPage()
    await signIn(page, ACCOUNTS.admin)
    const reply = await page.request.post('/api/azure/machines', {
      headers: { origin: portal.url },
      data: {
        templateName: 'Ubuntu 24.04 Starter',
        email: LEARNERS,
        trainingName: TRAINING,
        allocatedHours: null,
        createVmCount: LEARNERS.length,
        guacamole: false,
      },
    })
    expect(reply.ok(), await reply.text()).toBe(true)
    await page.goto(`/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`)
    // Patterns, since a plain text would also match 'is not running' among a card's reasons.
    const cards = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
    await expect(cards.filter({ hasText: /Creating/ })).toHaveCount(LEARNERS.length)
    await page.evaluate('document.documentElement.lang = "en-IN"')
    await expect(cards.filter({ hasText: /Running/ })).toHaveCount(LEARNERS.length, { timeout: 40_000 })
    // A reload would have brought the page's own language back.
    expect(await page.evaluate('document.documentElement.lang')).toBe('en-IN')
  } finally {
    await context.close()
    await portal.stop()
  }
})
