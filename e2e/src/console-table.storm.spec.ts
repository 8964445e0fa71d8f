import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'A Big Class'
const CONSOLE = '/vm/vmdetails?training=A+Big+Class'
const MANY = 40
const LEARNERS = Array.from({ length: MANY }, (_, index) => `learner.${index + 1}@acme.test`)

test('shows a large training as a table with sorting, filters, selection and power commands, by address and by keyboard', async ({
  signedIn,
  portal,
}) => {
  test.slow(true, 'Forty machines must start first.')
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, LEARNERS)
  await navigate(page, CONSOLE)
  const grid = page.getByRole('grid', { name: 'Instances' })
  const learners = grid.getByRole('rowheader')
  const states = page.getByRole('group', { name: 'State', exact: true })
  await expect(grid).toHaveAttribute('aria-rowcount', `${MANY + 1}`)
  await expect(learners.first()).toHaveText('learner.1@acme.test')
  await expect(learners.nth(1)).toHaveText('learner.2@acme.test')
  // Each row is one line high, and only visible rows are rendered.
  expect((await grid.getByRole('row').nth(1).boundingBox())!.height).toBe(36)
  expect(await grid.getByRole('row').count()).toBeLessThan(MANY)

  await grid.getByRole('button', { name: 'Learner', exact: true }).click()
  await expect(page).toHaveURL(/sort=-learner/)
  await page.reload()
  await expect(learners.first()).toHaveText(`learner.${MANY}@acme.test`)
  await expect(grid.getByRole('columnheader', { name: 'Learner' })).toHaveAttribute('aria-sort', 'descending')
  await grid.getByRole('button', { name: 'Learner', exact: true }).click()

  const check = (index: number) => grid.getByRole('row').nth(index).getByRole('checkbox')
  await check(2).check()
  await check(6).click({ modifiers: ['Shift'] })
  await expect(page.getByText(`5 of ${MANY} selected`)).toBeVisible()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText(`7 of ${MANY} selected`)).toBeVisible()
  await expect(check(8)).toBeFocused()
  await page.keyboard.press('End')
  await expect(grid.getByRole('checkbox').last()).toBeFocused()
  await expect(learners.last()).toHaveText(`learner.${MANY}@acme.test`)
  await page.keyboard.press('Home')
  await expect(check(1)).toBeFocused()
  await expect(learners.first()).toBeInViewport()
  await page.keyboard.press('Control+a')
  await expect(page.getByText(`${MANY} of ${MANY} selected`)).toBeVisible()

  // Only one row is in the tab order. Tab goes from its checkbox to its details, its buttons and then out of the table.
  const first = grid.getByRole('row').nth(1)
  const details = page.getByRole('complementary', { name: 'learner.1@acme.test' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(details.getByRole('heading', { name: 'learner.1@acme.test' })).toBeFocused()
  await expect(details).toContainText('Ubuntu 24.04 LTS server')
  await expect(details.getByRole('list', { name: /^Operations of / })).toContainText('Create')
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(first.getByRole('button', { name: 'learner.1@acme.test' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(
    grid
      .getByRole('row')
      .nth(1)
      .getByRole('button', { name: /copy the address of/ }),
  ).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Power Off' }).click()
  await expect(states.getByRole('button', { name: 'Stopped 1' })).toBeVisible()
  await first.getByRole('button', { name: /^More actions for / }).click()
  await expect(page.getByRole('menuitem', { name: 'Restart' })).toHaveAccessibleDescription(/is not running\.$/)
  await page.keyboard.press('Escape')

  // Filter by state. Commands do not apply to machines that the filter hides.
  await states.getByRole('button', { name: 'Stopped 1' }).click()
  await expect(page).toHaveURL(/state=Stopped/)
  await expect(learners).toHaveText(['learner.1@acme.test'])
  await expect(page.getByText(`1 of ${MANY} selected`)).toBeVisible()
  const power = page.getByRole('group', { name: 'With the selected instances' })
  await power.getByRole('button', { name: 'Power Off' }).click()
  await expect(page.getByText('One or more selected VMs are not running')).toBeVisible()
  await states.getByRole('button', { name: 'All' }).click()
  await page.getByRole('searchbox', { name: 'Search instances' }).fill('learner.33@')
  await expect(learners).toHaveText(['learner.33@acme.test'])
  await expect(page).toHaveURL(/find=learner\.33/)

  // The choice of cards is stored for the next visit.
  await page.getByRole('group', { name: 'Show as' }).getByRole('button', { name: 'Cards' }).click()
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem')).toHaveCount(1)
  await page.goto(CONSOLE)
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()).toBeVisible()
  await page.getByRole('group', { name: 'Show as' }).getByRole('button', { name: 'Table' }).click()
  await expect(learners.first()).toBeVisible()

  // A failing machine is listed first in any sort order, with its reason.
  await page.goto(`${CONSOLE}&sort=-name`)
  await expect(learners.first()).not.toHaveText('learner.1@acme.test')
  await portal.postToEmulator('/_faults', { kind: 'refuseCapacity', operation: 'VirtualMachines_Start' })
  await states.getByRole('button', { name: 'Stopped 1' }).click()
  await grid.getByRole('button', { name: /^Power On / }).click()
  await states.getByRole('button', { name: 'All' }).click()
  await expect(learners.first()).toHaveText('learner.1@acme.test')
  await expect(first).toContainText('Failing')
  await first.getByRole('button', { name: /^Why is .* failing\?$/ }).click()
  await expect(details).toContainText(/Azure .*capacity/)
  await expect(details.getByRole('button', { name: /^Power O(n|ff) / })).toBeVisible()

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await expect(learners.first()).toBeInViewport()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeProblems(page)).toEqual([])
    }
  }
  await page.request.delete(`${portal.emulatorUrl}/_faults`)
})

test('shows a small training as cards, and as a table on request', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/vmdetails?training=Linux+101')
  const form = page.getByRole('group', { name: 'Show as' })
  await expect(form.getByRole('button', { name: 'Cards' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()).toBeVisible()
  await form.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('grid', { name: 'Instances' }).getByRole('rowheader').first()).toBeVisible()
})
