import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Bulk actions'
const LEARNERS = ['bulk.one@acme.test', 'bulk.two@acme.test', 'bulk.three@acme.test']

test('hands several machines over with a pasted list, resets and deletes them', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, LEARNERS)
  await navigate(page, `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`)
  await page.getByRole('button', { name: 'Table' }).click()
  const moreActions = page.getByRole('button', { name: 'More actions for the selected instances' })
  const rows = page.getByRole('grid', { name: 'Instances' }).getByRole('row')

  await test.step('without a selection, the menu says what to do', async () => {
    await moreActions.click()
    await expect(page.getByRole('menuitem')).toHaveText(
      ['Hand Over', 'Reset', 'Delete'].map((name) => `${name}No VMs selected`),
    )
    await page.keyboard.press('Escape')
  })

  await test.step('a pasted list fills the fields', async () => {
    for (const learner of LEARNERS.slice(0, 2)) await rows.filter({ hasText: learner }).getByRole('checkbox').check()
    await moreActions.click()
    await page.getByRole('menuitem', { name: 'Hand Over' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Hand Over 2 machines' })
    await dialog
      .getByRole('combobox')
      .first()
      .evaluate((field) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', 'Asha Rao <bulk.four@acme.test>\nbulk.five@acme.test')
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
    await expect(dialog.getByRole('combobox').nth(1)).toHaveValue('bulk.five@acme.test')
    await dialog.getByRole('checkbox', { name: 'Reset the machines too' }).check()
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await dialog.getByRole('button', { name: 'Hand Over and Reset' }).click()
    await expect(rows.filter({ hasText: 'bulk.four@acme.test' })).toHaveCount(1)
    await expect(rows.filter({ hasText: LEARNERS[0]! })).toHaveCount(0)
    await expect(rows.filter({ hasText: 'Running' })).toHaveCount(3)
  })

  await test.step('in a narrow window, headings are aligned with their values, and the first row is visible', async () => {
    for (const [width, height] of [
      [683, 900],
      [390, 664],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const [header, text] of [
        ['Learner', 'bulk.five@acme.test'],
        ['State', 'Running'],
      ] as const) {
        const heading = (await page.getByRole('columnheader', { name: header }).boundingBox())!
        const value = (await rows.nth(1).getByText(text, { exact: true }).boundingBox())!
        expect(Math.abs(heading.x - value.x), `${header} at ${width}`).toBeLessThan(20)
        expect(value.y + value.height).toBeLessThan(height)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('all selected machines are deleted after one confirmation', async () => {
    await page.getByRole('button', { name: 'Bulk Select' }).click()
    await moreActions.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: /^Delete \d machines$/ })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect(page.getByText('You do not have any Instances')).toBeVisible()
  })
})
