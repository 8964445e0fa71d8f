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
  // An extension of the browser changes the page before its script runs, so that React renders it anew.
  await campus.addInitScript(() =>
    new MutationObserver((_changes, observer) => {
      const heading = document.querySelector('#root h1')
      if (heading === null) return
      observer.disconnect()
      heading.replaceChildren(document.createElement('b'))
    }).observe(document, { childList: true, subtree: true }),
  )
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
    // The last tool of the list was registered last.
    await campus.getByLabel('Activity').last().fill('Lab')
    await campus.getByRole('button', { name: 'Add' }).last().click()
    await campus.getByRole('link', { name: 'Lab', exact: true }).click()
    const frame = campus.frameLocator('iframe[title="Lab"]')
    await inFrame(campus, () =>
      expect(frame.getByRole('alert')).toHaveText(/is not connected to a training yet/, { timeout: 15_000 }),
    )
    await page.reload()
    await page.getByLabel(`Training of ${COURSE}`).selectOption(TRAINING)
    await expect(page.getByText(`${COURSE} is connected to ${TRAINING}.`)).toBeVisible()
  })

  await test.step('a student opens the machine in a new tab, also after a reload of the frame', async () => {
    await campus.goto(`${lms}/courses/CS101?as=5`)
    // The user closes the first tab before it has entered.
    await campus.context().route('**/api/lti/enter', (route) => route.abort(), { times: 1 })
    const aborted = campus.context().waitForEvent('requestfailed', (request) => request.url().endsWith('/lti/enter'))
    const left = campus.context().waitForEvent('page')
    await campus.getByRole('link', { name: 'Lab', exact: true }).click()
    const frame = campus.frameLocator('iframe[title="Lab"]')
    const button = frame.getByRole('button', { name: `Open ${TRAINING}` })
    await inFrame(campus, () => expect(button).toBeVisible({ timeout: 15_000 }))
    await aborted
    await (await left).close()
    const opened = campus.context().waitForEvent('page')
    await button.click()
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

test('with third-party cookies blocked, a student opens the training from a frame at another site', async ({
  newPageAs,
  browser,
  portal,
}) => {
  const admin = await newPageAs('admin@globex.test', '/admin/lms')
  await portal.postToEmulator('/_lti/host', { host: 'localhost' })
  const lms = `${portal.emulatorUrl.replace('127.0.0.1', 'localhost')}/lms`
  const campus = await (await browser.newContext()).newPage()
  // The browser blocks third-party cookies, as its users can choose in the settings.
  const chromium = await campus.context().newCDPSession(campus)
  await chromium.send('Network.enable')
  await chromium.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
  try {
    await admin.getByRole('button', { name: 'Add LMS' }).click()
    await admin.getByLabel('Name').fill('Partner LMS')
    await admin.getByRole('button', { name: 'Add', exact: true }).click()
    const section = admin.getByRole('region', { name: 'Partner LMS' })
    const link = await section.getByText(/\/lti\/register\//).innerText()
    await campus.goto(`${lms}/register?url=${encodeURIComponent(link)}`)
    await expect(campus.getByText('The LMS is connected.')).toBeVisible()
    await campus.goto(lms)
    await campus.getByRole('button', { name: 'Activate' }).click()
    await campus.goto(`${lms}/courses/CS101?as=3`)
    await campus.getByLabel('Activity').last().fill('Lab abroad')
    await campus.getByRole('button', { name: 'Add' }).last().click()

    const openInFrame = async (more = '') => {
      const activity = campus.getByRole('link', { name: 'Lab abroad', exact: true })
      const href = (await activity.getAttribute('href'))!
      const opened = campus.context().waitForEvent('page')
      await campus.goto(new URL(`${href}${more}`, lms).href)
      return opened
    }
    const refused = await openInFrame()
    await expect(refused.getByRole('alert')).toHaveText(/is not connected to a training yet/)
    await admin.reload()
    await admin.getByLabel(`Training of ${COURSE}`).selectOption(TRAINING)
    await expect(admin.getByText(`${COURSE} is connected to ${TRAINING}.`)).toBeVisible()

    await campus.goto(`${lms}/courses/CS101?as=5`)
    const tab = await openInFrame()
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    const keepsCookie = () => {
      document.cookie = 'probe=1; Path=/; Secure; SameSite=None'
      return document.cookie.includes('probe=1')
    }
    const frame = campus.frameLocator('iframe[title="Lab abroad"]')
    await inFrame(campus, () => expect(frame.getByText(/has opened in a new tab/)).toBeVisible({ timeout: 15_000 }))
    // Other pages of the portal may set such a cookie, but not in the frame.
    expect(await tab.evaluate(keepsCookie)).toBe(true)
    expect(await frame.locator('main').evaluate(keepsCookie)).toBe(false)

    // An instructor in a frame chooses content in a new tab. The frame then sends the choice to the LMS.
    await campus.goto(`${lms}/courses/CS101?as=3`)
    const choice = campus.getByRole('link', { name: /^Select content/ }).last()
    const choosing = campus.context().waitForEvent('page')
    await campus.goto(new URL(`${await choice.getAttribute('href')}&framed=1`, lms).href)
    const chooser = await choosing
    await chooser.getByLabel('Name in the course').fill('Chosen lab')
    const closed = chooser.waitForEvent('close')
    await chooser.getByRole('button', { name: 'Add to the course' }).click()
    await closed
    await expect(async () => {
      await campus.goto(`${lms}/courses/CS101?as=3`)
      await expect(campus.getByRole('link', { name: 'Chosen lab' })).toBeVisible({ timeout: 5_000 })
    }).toPass()

    // With the storage of the LMS, the launch completes within the frame.
    await campus.goto(`${lms}/courses/CS101?as=5`)
    const secondLaunch = await openInFrame('&storage=1')
    await expect(secondLaunch.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    await inFrame(campus, () =>
      expect(frame.getByRole('button', { name: `Open ${TRAINING}` })).toBeVisible({ timeout: 15_000 }),
    )
    await admin.getByLabel(`Training of ${COURSE}`).selectOption('Not connected')
    await admin.getByRole('button', { name: 'Delete Partner LMS' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(section).toBeHidden()
  } finally {
    await portal.postToEmulator('/_lti/host', { host: '127.0.0.1' })
  }
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
