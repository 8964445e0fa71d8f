import { axeProblems } from './axe.ts'
import { expect, test } from './test.ts'

const CONSOLE = '/vm/vmdetails?training=Linux+101'

test('a machine shows how long an operation takes, and its timeline grows automatically', async ({ signedIn }) => {
  const page = await signedIn('admin', CONSOLE)
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await expect(card).toContainText(/Running|Stopped/)
  const name = await card.getByRole('heading').innerText()
  if ((await card.innerText()).includes('Running')) {
    await card.getByRole('button', { name: `Power Off ${name}` }).click()
    await expect(card).toContainText('Stopped')
  }
  await card.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Timeline' }).click()
  const timeline = page.getByRole('dialog', { name: `Timeline of ${name}` })
  const operations = timeline.getByRole('list', { name: `Operations of ${name}, newest first` })
  await expect(timeline).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(timeline).toBeHidden()

  await card.getByRole('button', { name: `Power On ${name}` }).click()
  await expect(card).toContainText(/\d+ s( of about| so far|, longer than)|No answer yet/)
  await card.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Timeline' }).click()
  const newest = operations.getByRole('listitem').first()
  await expect(newest.getByRole('heading')).toHaveText('Start')
  // Without a reload: the event stream reports the end of the operation, and then the machine's first answer.
  await expect(newest).toContainText(/took \d+ s, ready after \d+ s/)
  await expect(newest.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(4)
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(timeline).toBeHidden()
  await expect(card).toContainText('Running')
})
