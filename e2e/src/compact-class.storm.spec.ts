import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, menuOf, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'A compact class'
const QUERY = `?training=${encodeURIComponent(TRAINING)}`
const SIZE = 60

test('sixty learners fit on a laptop; a hand shows its place and reason everywhere; stop all can be undone', async ({
  signedIn,
  newPageAs,
}) => {
  const page = await signedIn('admin')
  const others = Array.from({ length: SIZE - 1 }, (_, index) => `participant${index + 1}@acme.test`)
  await orderTraining(page, TRAINING, [DEMO_USERS.user, ...others])
  await page.setViewportSize({ width: 1366, height: 768 })
  await navigate(page, `/vm/class${QUERY}`)
  const seats = page.getByRole('list', { name: 'Learners' }).getByRole('listitem')

  await test.step('every learner is in sight', async () => {
    await expect(seats).toHaveCount(SIZE)
    await expect(seats.last()).toBeInViewport({ ratio: 1 })
    await expect(seats.nth(9)).toContainText('participant9')
  })

  await test.step('Add learner asks for the address first', async () => {
    await page.getByRole('button', { name: 'Add learner' }).click()
    const form = page.getByRole('dialog', { name: 'Order VMs' })
    await expect(form.getByRole('textbox', { name: 'Email IDs' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
  })
  const place = async () => (await seats.nth(5).boundingBox())!.x
  const before = await place()

  await test.step('a raised hand is first, with its place and reason', async () => {
    const learner = await newPageAs(DEMO_USERS.user)
    await learner.getByRole('button', { name: `Raise hand in ${TRAINING}` }).click()
    await learner
      .getByRole('group', { name: 'Why you raised your hand' })
      .getByRole('button', { name: 'Stuck' })
      .click()
    await expect(learner.getByRole('button', { name: 'Stuck' })).toHaveAttribute('aria-pressed', 'true')
    await expect(learner.getByText('You are next.')).toBeVisible()
    await expect(seats.first()).toContainText('1st · Stuck')
    await expect(page.getByRole('region', { name: 'Needs you' }).getByRole('listitem')).toHaveCount(1)
    expect(await place()).toBe(before)
    await expect(menuOf(page).filter({ hasText: 'Virtual Lab Console' })).toHaveText('Virtual Lab Console1 raised hand')
    await expect(page).toHaveTitle('(1) Class · Virtual Lab Console · Trainyard')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await expectNoAxeProblems(learner, [[390, 'light']])
  })

  await test.step('a click opens the large tile', async () => {
    await seats.first().getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: DEMO_USERS.user })
    await expect(dialog).toContainText('1st in the queue: stuck')
    await dialog.getByRole('button', { name: `Lower hand of ${DEMO_USERS.user}` }).click()
    await expect(dialog).not.toContainText('in the queue')
    await dialog.getByRole('button', { name: /^More actions for / }).click()
    await page.getByRole('menuitem', { name: 'Reset' }).click()
    const question = page.getByRole('dialog', { name: /^Reset / })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(page).toHaveTitle('Class · Virtual Lab Console · Trainyard')
  })

  await test.step('on a phone the first learner is in sight', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(seats.first()).toBeInViewport({ ratio: 1 })
    expect((await seats.first().boundingBox())!.y).toBeLessThan(460)
    const counts = page.getByRole('group', { name: 'Show only' })
    await expect(counts.getByRole('button')).toHaveText([/^Everyone/, /^Hands/, /^Failing/])
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await expect(page.getByRole('menuitem', { name: 'Hide names' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Class settings' }).click()
    await expect(page.getByRole('menuitem', { name: 'Stop all' })).toBeVisible()
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    await page.setViewportSize({ width: 1366, height: 768 })
  })

  await test.step('stop all takes one click and a confirmation, and can be undone', async () => {
    await page.getByRole('button', { name: 'Stop all' }).click()
    const dialog = page.getByRole('dialog', { name: 'Stop all' })
    await expect(dialog).toContainText(`${SIZE} machines run.`)
    await dialog.getByRole('button', { name: 'Stop all' }).click()
    await expect(page.getByText(`${SIZE} machines are being stopped.`)).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText(`${SIZE} machines keep running.`)).toBeVisible()
    await expect(page.getByRole('button', { name: `Running ${SIZE}` })).toBeVisible()
  })
})
