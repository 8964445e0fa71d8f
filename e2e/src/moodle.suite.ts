import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test as base, type Browser, expect, type Locator, type Page } from '@playwright/test'
import { type Portal, startPortal } from './portal.ts'
import { DEMO_USERS, signIn } from './test.ts'

const TRAINING = 'Linux 101'
const ACTIVITY = 'Lab of the portal test'
/** Active minutes for the full score. The student is active for one minute. */
const SCORE_MINUTES = 2
const PICTURES = fileURLToPath(new URL('../../test-results/moodle/', import.meta.url))

const VARIABLES = {
  MOODLE_URL: 'address of a Moodle 4.3 to 4.5 for tests, for example https://moodle.test.example',
  MOODLE_ADMIN_PASSWORD: 'password of its administrator',
  MOODLE_COURSE_ID: 'number of a course, from the address of its page',
  MOODLE_TEACHER_PASSWORD: 'password of a teacher of the course who may edit it',
  MOODLE_STUDENT_PASSWORD: 'password of a student of the course',
} as const
type Variable = keyof typeof VARIABLES

interface Account {
  readonly user: string
  readonly password: string
}

/** @throws Error that lists the variables to set */
function readEnvironment() {
  const missing = Object.entries(VARIABLES).filter(([name]) => !process.env[name])
  if (missing.length > 0)
    throw new Error(
      ['This test needs a running Moodle. Set these variables:']
        .concat(missing.map(([name, description]) => `  ${name}: ${description}`))
        .join('\n'),
    )
  const read = (name: Variable) => process.env[name]!
  return {
    moodle: read('MOODLE_URL').replace(/\/+$/, ''),
    course: read('MOODLE_COURSE_ID'),
    admin: { user: process.env['MOODLE_ADMIN'] || 'admin', password: read('MOODLE_ADMIN_PASSWORD') },
    teacher: { user: process.env['MOODLE_TEACHER'] || 'teacher1', password: read('MOODLE_TEACHER_PASSWORD') },
    student: { user: process.env['MOODLE_STUDENT'] || 'student1', password: read('MOODLE_STUDENT_PASSWORD') },
    portalUrl: new URL(process.env['MOODLE_PORTAL_URL'] || 'http://localhost:4700').origin,
  }
}

/** Objects that the test creates in Moodle. */
interface Created {
  clientId: string | null
  readonly activities: string[]
}

interface Fixtures {
  readonly settings: ReturnType<typeof readEnvironment>
  readonly portal: Portal
  /** Page of the administrator of Moodle. */
  readonly adminPage: Page
  /** Deleted from Moodle after the test. */
  readonly created: Created
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern
  settings: async ({}, use) => {
    await use(readEnvironment())
  },
  portal: async ({ settings: { moodle, portalUrl } }, use) => {
    const portal = await startPortal(0, () => ({
      PORT: new URL(portalUrl).port,
      PUBLIC_URL: portalUrl,
      LMS_PRIVATE_ORIGINS: new URL(moodle).origin,
    }))
    await use(portal)
    await portal.stop()
  },
  adminPage: async ({ browser, settings: { moodle, admin } }, use) => {
    await use(await openMoodle(browser, moodle, admin))
  },
  created: async ({ adminPage }, use) => {
    const created: Created = { clientId: null, activities: [] }
    await use(created)
    await cleanUp(adminPage, created)
  },
})

test('Moodle registers the portal, and a course opens machines, gives its members, and receives a score', async ({
  browser,
  settings: { moodle, course, teacher, student, portalUrl },
  portal,
  adminPage,
  created,
}) => {
  mkdirSync(PICTURES, { recursive: true })
  const portalPage = await newPage(browser, portalUrl)
  const teacherPage = await openMoodle(browser, moodle, teacher)
  const studentPage = await openMoodle(browser, moodle, student)
  const { activities } = created
  let tool = ''
  let machineTab = (): Page => {
    throw new Error('The machine is not open.')
  }
  await signIn(portalPage, DEMO_USERS.admin)
  await portalPage.goto('/admin/lms')
  const section = portalPage.getByRole('region', { name: 'Moodle' })

  await test.step('dynamic registration', async () => {
    await portalPage.getByRole('button', { name: 'Add LMS' }).click()
    await portalPage.getByLabel('Name').fill('Moodle')
    await portalPage.getByRole('button', { name: 'Add', exact: true }).click()
    await registerTool(adminPage, await section.getByText(/\/lti\/register\//).innerText())
    await expect(section.getByText('Connected', { exact: true })).toBeVisible()
    created.clientId = await section.getByRole('term').filter({ hasText: 'Client ID' }).locator('+ dd').innerText()
    tool = await activateTool(adminPage, created.clientId)
    await section.getByRole('button', { name: 'Test Connection' }).click()
    await expect(section.getByText(/accepts the portal’s key/)).toBeVisible()
    await picture(adminPage, '1-registered-in-moodle')
    await picture(portalPage, '1-registered-in-portal')
  })

  await test.step('a launch of a course that is not connected to a training', async () => {
    await openActivityForm(teacherPage, course, tool)
    await teacherPage.locator('#id_name').fill(ACTIVITY)
    const answer = await selectContent(teacherPage)
    await expect(answer).toContainText('is not connected to a training yet')
    await picture(teacherPage, '2-not-connected')
  })

  await test.step('content that a teacher selects in the form of an activity', async () => {
    await portalPage.reload()
    const row = section.getByRole('table', { name: 'Courses' }).getByRole('row').nth(1)
    await row.getByRole('combobox').selectOption(TRAINING)
    await expect(row.getByRole('cell').nth(2)).toHaveText('No list from the LMS yet')
    await openActivityForm(teacherPage, course, tool)
    const chooser = await selectContent(teacherPage)
    await chooser.getByLabel('Name in the course').fill(ACTIVITY)
    await expect(chooser.getByLabel('The training: learners see their machines, instructors the class')).toBeChecked()
    await picture(teacherPage, '2-choose')
    await chooser.getByRole('button', { name: 'Add to the course' }).click()
    await expect(teacherPage.locator('#id_name')).toHaveValue(ACTIVITY)
    await teacherPage.locator('#id_instructorchoiceacceptgrades').check()
    activities.push(await saveActivity(teacherPage))
  })

  await test.step('launch as a teacher', async () => {
    const tab = await openActivity(teacherPage, activities[0]!)
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console, Class')
    expect(new URL(tab.url()).searchParams.get('training')).toBe(TRAINING)
    await picture(teacherPage, '4-teacher-in-moodle')
    await picture(tab, '4-teacher-in-portal')
  })

  await test.step('the members of the course become the roster of the training', async () => {
    await teacherPage.goto(`/user/index.php?id=${course}`)
    const participants = Number.parseInt(await teacherPage.getByText(/^\d+ participants found$/).innerText(), 10)
    await portalPage.goto('/admin/lms')
    const row = section.getByRole('table', { name: 'Courses' }).getByRole('row').nth(1)
    await expect(row.getByRole('cell').nth(2)).toHaveText(String(participants), { timeout: 120_000 })
    await picture(portalPage, '3-members')
    await followCourse(portalPage, participants)
  })

  await test.step('launch as a student, who is active on the machine for a minute', async () => {
    const tab = await openActivity(studentPage, activities[0]!)
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    const card = tab.getByRole('list', { name: 'Instances' }).getByRole('listitem')
    await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible({ timeout: 120_000 })
    await picture(studentPage, '5-student-in-moodle')
    await picture(tab, '5-student-in-portal')
    const opening = tab.context().waitForEvent('page')
    await card.getByRole('button', { name: /^Web-based access to/ }).click()
    const terminal = await opening
    machineTab = () => terminal
    await beActive(terminal, portalPage)
  })

  await test.step('a score in the gradebook of Moodle', async () => {
    await portalPage.goto('/admin/lms')
    const row = section.getByRole('table', { name: 'Activities' }).getByRole('row').filter({ hasText: ACTIVITY })
    await row.getByLabel(/^Score of/).selectOption('Active minutes')
    await row.getByLabel(/^Active minutes for the full score/).fill(String(SCORE_MINUTES))
    await row.getByRole('button', { name: /^Save/ }).click()
    await portal.runTask('send scores to LMSs')
    await expect(row).toContainText('1 sent', { timeout: 120_000 })
    await picture(portalPage, '6-score-sent')
    await studentPage.goto(`/grade/report/user/index.php?id=${course}`)
    const grade = studentPage.getByRole('row').filter({ hasText: ACTIVITY })
    await expect(grade).toContainText('50.00')
    await expect(grade).toContainText(`1 of ${SCORE_MINUTES} minutes active on the machine`)
    await picture(studentPage, '6-gradebook')
  })

  await test.step('the points of the guide with a comment, instead of minutes', async () => {
    const terminal = machineTab()
    const guide = terminal.getByRole('complementary', { name: 'Guide' })
    await guide.getByRole('button', { name: 'Start the guide' }).click()
    const task = guide.getByRole('region', { name: 'Write the word hello into notes.txt' })
    await task.getByRole('button', { name: /^Hint/ }).click()
    await terminal.getByRole('region', { name: /^Terminal of / }).click()
    await terminal.keyboard.type('echo hello > notes.txt\n')
    await expect(async () => {
      await task.getByRole('button', { name: /^Check/ }).click()
      await expect(task).toContainText('Done · 14 of 15 points', { timeout: 3_000 })
    }).toPass()
    await picture(terminal, '6-points')
    await portalPage.goto('/admin/lms')
    const row = section.getByRole('table', { name: 'Activities' }).getByRole('row').filter({ hasText: ACTIVITY })
    await row.getByLabel(/^Score of/).selectOption('Points of the lab guide')
    await row.getByRole('button', { name: /^Save/ }).click()
    await portal.runTask('send scores to LMSs')
    await expect(async () => {
      await studentPage.goto(`/grade/report/user/index.php?id=${course}`)
      const grade = studentPage.getByRole('row').filter({ hasText: ACTIVITY })
      await expect(grade).toContainText('70.00', { timeout: 2_000 })
      await expect(grade).toContainText('14 of 20 points, 1 hint', { timeout: 2_000 })
    }).toPass({ timeout: 120_000 })
    await picture(studentPage, '6-gradebook-points')
  })
})

/** Returns a page in a separate context whose pages are wide enough for Moodle's menus. */
async function newPage(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1366, height: 900 } })
  return context.newPage()
}

/** Logs a user in to Moodle, in a browser that blocks third-party cookies. */
async function openMoodle(browser: Browser, moodle: string, { user, password }: Account): Promise<Page> {
  const page = await newPage(browser, moodle)
  const chromium = await page.context().newCDPSession(page)
  await chromium.send('Network.enable')
  await chromium.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
  // Moodle can reject the token of the login form under load. Repeat the login.
  await expect(async () => {
    await page.goto(`${moodle}/login/index.php?lang=en`)
    await page.locator('#username').fill(user)
    await page.locator('#password').fill(password)
    await page.locator('#loginbtn').click()
    await expect(page.locator('#user-menu-toggle'), `${user} is logged in to Moodle`).toBeVisible({ timeout: 20_000 })
  }).toPass({ timeout: 120_000 })
  return page
}

/** Starts the dynamic registration of the portal in Moodle by its registration link. */
async function registerTool(page: Page, link: string): Promise<void> {
  await page.goto('/mod/lti/toolconfigure.php')
  await page.locator('#tool-url').fill(link)
  await page.getByRole('button', { name: 'Add LTI Advantage' }).click()
  const registration = page.locator('#external-registration-template-container iframe')
  await expect(registration).toBeAttached()
  // Moodle asks about other tools of the same host, such as those that an aborted run has left.
  const newTool = registration.contentFrame().getByRole('button', { name: 'Register as a new external tool' })
  await expect.poll(async () => (await newTool.isVisible()) || (await registration.count()) === 0).toBe(true)
  if (await newTool.isVisible()) await newTool.click()
  await expect(registration).toHaveCount(0)
}

/** Activates the tool with a client ID. Returns its number in Moodle. */
async function activateTool(page: Page, clientId: string): Promise<string> {
  const card = page.locator(`.tool-card[data-clientid="${clientId}"]`)
  await card.getByText('Activate').click()
  await expect(card.getByText('Active', { exact: true })).toBeVisible()
  return (await card.getAttribute('data-type-id'))!
}

async function openActivityForm(page: Page, course: string, tool: string): Promise<void> {
  await page.goto(`/course/modedit.php?add=lti&course=${course}&section=0&typeid=${tool}`)
  await page.getByRole('button', { name: 'Expand all' }).click()
  await expect(page.locator('#id_instructorchoiceacceptgrades')).toBeVisible()
}

/** Opens the portal's choice of content: in Moodle's dialog, or in a tab where the frame has no cookies. */
async function selectContent(page: Page): Promise<Locator> {
  const tab = page.context().waitForEvent('page')
  // Without a tab.
  tab.catch(() => {})
  await page.getByRole('button', { name: 'Select content' }).click()
  const dialog = page.frameLocator('.modal iframe').locator('main')
  const answer = dialog.getByRole('alert').or(dialog.getByRole('button'))
  return Promise.race([tab.then((opened) => opened.locator('main')), answer.waitFor().then(() => dialog)])
}

/** Creates the activity of the form. Returns its number in Moodle. */
async function saveActivity(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Save and return to course' }).click()
  const link = page.getByRole('link', { name: ACTIVITY }).last()
  return new URL((await link.getAttribute('href'))!).searchParams.get('id')!
}

/** Opens an activity in a frame of Moodle's page. Returns the tab that the frame opens. */
async function openActivity(page: Page, id: string): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.goto(`/mod/lti/view.php?id=${id}`)
  return opened
}

/** Lets the training follow the course, with machines for learners who open it. */
async function followCourse(page: Page, members: number): Promise<void> {
  await page.goto(`/vm/roster?training=${encodeURIComponent(TRAINING)}`)
  await page.getByRole('button', { name: 'Follow a List' }).click()
  const form = page.getByRole('dialog', { name: 'Follow a List' })
  await form
    .getByLabel('Machines', { exact: true })
    .selectOption('Order a machine when a learner first opens the training')
  await form.getByLabel('Template', { exact: true }).selectOption('Ubuntu 24.04 Starter')
  await form.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(page.getByText(`${members} joined`)).toBeVisible({ timeout: 120_000 })
  await picture(page, '3-roster')
}

/** Types in the learner's terminal until the portal counts an active minute. */
async function beActive(terminal: Page, admin: Page): Promise<void> {
  await expect(terminal.getByRole('status').filter({ hasText: /^Connected/ })).toBeVisible()
  const days = { from: dayAfter(-1), until: dayAfter(1) }
  const minutes = async () => {
    await terminal.keyboard.type('uptime\n')
    const reply = await admin.request.get('/api/azure/attendance', { params: { trainingName: TRAINING, ...days } })
    const { learners } = (await reply.json()) as { learners: { email: string; active: number }[] }
    return learners.find(({ email }) => email.endsWith('@no-mailbox.invalid'))?.active ?? 0
  }
  await expect.poll(minutes, { timeout: 180_000, intervals: [5_000] }).toBe(1)
  await picture(terminal, '5-student-terminal')
}

const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Deletes what the test has created in Moodle. */
async function cleanUp(page: Page, { activities, clientId }: Created): Promise<void> {
  for (const id of activities) {
    await page.goto(`/course/mod.php?delete=${id}`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL(/\/course\/view\.php/)
  }
  if (clientId === null) return
  await page.goto('/mod/lti/toolconfigure.php')
  const card = page.locator(`.tool-card[data-clientid="${clientId}"]`)
  await card.getByRole('link', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(card).toBeHidden()
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${PICTURES}${name}.png` })
}
