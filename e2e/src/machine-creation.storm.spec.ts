import { startPortal } from './portal.ts'
import { DEMO_USERS, expect, signIn, test } from './test.ts'

const LEARNERS = ['one@acme.test', 'two@acme.test', 'three@acme.test']
const TRAINING = 'Coming Up'

test('shows ordered machines change from Creating to Running without a reload', async ({ browser }) => {
  test.slow(true, 'Starting a separate portal takes a minute on a slow machine.')
  // Creating takes 3 to 18 s here, as with `npm start`, so that the change is visible.
  const portal = await startPortal(0.1)
  const context = await browser.newContext({ baseURL: portal.url })
  try {
    const page = await context.newPage()
    await signIn(page, DEMO_USERS.admin)
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
    await expect(cards.filter({ hasText: /Running/ })).toHaveCount(LEARNERS.length)
    // A reload would have restored the page's own language.
    expect(await page.evaluate('document.documentElement.lang')).toBe('en-IN')
  } finally {
    await context.close()
    await portal.stop()
  }
})
