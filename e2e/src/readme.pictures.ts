import { SIZES, takePicture } from './picture.ts'
import { DEMO_USERS, expect, signIn, test } from './test.ts'

test.use({ viewport: SIZES.wide })

const TRAINING = 'Linux 101'
const QUERY = `?training=${encodeURIComponent(TRAINING)}`

/** Screenshots for the walkthroughs of a learner and an instructor. addons/demo/README.md shows them. */
test('captures the walkthroughs of a learner and an instructor', async ({ signedIn, browser, portal }) => {
  const admin = await signedIn('admin')
  const context = await browser.newContext({ baseURL: portal.url, viewport: SIZES.wide })
  const learner = await context.newPage()
  await signIn(learner, DEMO_USERS.user)
  const headers = { origin: portal.url }

  await expect(learner.getByRole('button', { name: /^Open in browser/ })).toBeEnabled()
  await takePicture(learner, 'walk-learner-1')
  const opening = context.waitForEvent('page')
  await learner.getByRole('button', { name: /^Open in browser/ }).click()
  const tab = await opening
  await expect(tab.getByRole('status').first()).toHaveText(/^Connected as /)
  await tab.keyboard.type('cat README.txt\nls -l /etc\nuname -a; uptime\n')
  await expect(tab.getByRole('region', { name: /^Terminal of / })).toContainText('load average')
  await tab.getByRole('button', { name: /^Raise hand/ }).click()
  await admin.request.post('/api/azure/class/announcement', {
    headers,
    data: { trainingName: TRAINING, text: 'Exercise 3 is on the board: ten minutes.', minutes: 15 },
  })
  await expect(tab.getByText('Exercise 3 is on the board: ten minutes.')).toBeVisible()
  await takePicture(tab, 'walk-learner-2')

  await admin.goto(`/vm/class${QUERY}`)
  await expect(admin.getByText('1 hand raised')).toBeVisible()
  await takePicture(admin, 'walk-instructor-2')
  await admin.request.delete('/api/azure/class/announcement', { headers, params: { trainingName: TRAINING } })
  await context.close()

  await admin.goto('/createvm')
  await admin.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = admin.getByRole('dialog', { name: 'Order VMs' })
  await form.getByLabel('Training Name').fill('Kubernetes, Monday')
  await form.getByLabel('Email IDs').fill('asha.rao@acme.test, vikram.shah@acme.test,')
  await form.getByLabel('Allocated Hours').fill('20')
  await form.getByLabel('Ready on').fill('2030-01-07')
  await form.getByLabel('Ready at').fill('09:00')
  await takePicture(admin, 'walk-instructor-1')
})
