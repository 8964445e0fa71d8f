import type { Page } from '@playwright/test'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { expect, test } from './test.ts'

const TRAINING = 'Linux 101'
const APPEARANCES = [
  [390, 'dark'],
  [1440, 'light'],
] as const
const COURSE = 'Computer Science 101'

test('an admin connects an LMS by its link, and a student opens the training from a frame in the course', async ({
  signedIn,
  browser,
  portal,
}) => {
  const page = await signedIn('admin', '/admin/lms')
  const campus = await (await browser.newContext()).newPage()
  const lms = `${portal.emulatorUrl}/lms`

  await test.step('the LMS registers by a link that is shown once', async () => {
    await page.getByRole('button', { name: 'Add LMS' }).click()
    await page.getByLabel('Name').fill('Campus LMS')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const section = page.getByRole('region', { name: 'Campus LMS' })
    const link = await section.getByText(/\/lti\/register\//).innerText()
    await expectNoAxeProblems(page, APPEARANCES)
    await campus.goto(lms)
    await campus.getByLabel('Registration address of the tool').fill(link)
    await campus.getByRole('button', { name: 'Register' }).click()
    await expect(campus.getByText('The LMS is connected.')).toBeVisible()
    await expectNoAxeProblems(campus, APPEARANCES)
    await campus.goto(lms)
    await campus.getByRole('button', { name: 'Activate' }).click()
    await page.reload()
    await expect(section.getByText('Connected', { exact: true })).toBeVisible()
    await section.getByRole('button', { name: 'Test Connection' }).click()
    await expect(section.getByText(/accepts the portal’s key/)).toBeVisible()
  })

  await test.step('the course appears after its first launch, and is connected to a training', async () => {
    await campus.getByRole('link', { name: 'Ravi Menon' }).click()
    await campus.getByLabel('Activity').fill('Lab')
    await campus.getByRole('button', { name: 'Add' }).click()
    await campus.getByRole('link', { name: 'Lab', exact: true }).click()
    const frame = campus.frameLocator('iframe[title="Lab"]')
    await inFrame(campus, () =>
      expect(frame.getByRole('alert')).toHaveText(/is not connected to a training yet/, { timeout: 5_000 }),
    )
    await page.reload()
    await page.getByLabel(`Training of ${COURSE}`).selectOption(TRAINING)
    await expect(page.getByText(`${COURSE} is connected to ${TRAINING}.`)).toBeVisible()
  })

  await test.step('a student opens the machine in a new tab, also after a reload of the frame', async () => {
    await campus.goto(`${lms}/courses/CS101?as=5`)
    const opened = campus.context().waitForEvent('page')
    await campus.getByRole('link', { name: 'Lab', exact: true }).click()
    const frame = campus.frameLocator('iframe[title="Lab"]')
    const button = frame.getByRole('button', { name: `Open ${TRAINING}` })
    await inFrame(campus, () => expect(button).toBeVisible({ timeout: 5_000 }))
    const tab = await opened
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    expect(new URL(tab.url()).searchParams.get('training')).toBe(TRAINING)
    await tab.reload()
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    // The frame shows the same launch after a reload, without the LMS.
    await frame.locator('main').evaluate(() => location.reload())
    await expect(button).toBeVisible()
    const again = campus.context().waitForEvent('page')
    await button.click()
    await expect((await again).getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
  })

  await test.step('the LMS is deleted after its course was disconnected', async () => {
    await page.getByLabel(`Training of ${COURSE}`).selectOption('Not connected')
    await expect(page.getByText(`${COURSE} is no longer connected to a training.`)).toBeVisible()
    await page.getByRole('button', { name: 'Delete Campus LMS' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No LMS is connected.')).toBeVisible()
  })
})

/**
 * Checks the content of a frame. Playwright sometimes loses a frame whose process changes while it loads; the requests of
 * the launch and its tab are then complete, but no locator finds anything in the frame. A reload launches again.
 */
async function inFrame(page: Page, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    const found = await check().then(
      () => true,
      () => false,
    )
    if (!found) await page.reload()
    expect(found).toBe(true)
  }).toPass()
}
