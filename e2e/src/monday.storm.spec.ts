import type { Locator, Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import type { Portal } from './portal.ts'
import { waitForPaint } from './screens.ts'
import { tabTo } from './tab-to.ts'
import { DEMO_USERS, expect, menuOf, type SignedIn, test } from './test.ts'

const TRAINING = 'Monday Class'
const QUERY = `?training=${encodeURIComponent(TRAINING)}`
const CARD = 'Ubuntu 24.04 Starter'
const SIZE = 60
/** Learners of the demo data, who have a password. */
const RAISING = [DEMO_USERS.user, 'asha@acme.test', 'vikram@acme.test'] as const

/** A laptop, a phone, and the laptop at 200 % zoom. */
const VIEWPORTS = {
  laptop: { width: 1366, height: 768 },
  phone: { width: 390, height: 844 },
  zoom: { width: 683, height: 384 },
} as const

/** Recipients as Outlook copies them: names with a comma in quotes, addresses in angle brackets, semicolons between. */
const OUTLOOK = [
  ...RAISING.map((email, index) => `"Learner, ${['Lena', 'Asha', 'Vikram'][index]}" <${email}>`),
  ...Array.from({ length: SIZE - RAISING.length }, (_, index) => {
    const number = String(index + 1).padStart(2, '0')
    return `Participant ${number} <participant${number}@acme.test>`
  }),
].join('; ')

/** Returns midnight, in UTC, of the date that it is in India. */
const dateInIndia = (now: Date) =>
  new Date(`${new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(now)}T00:00Z`)

/** Returns the date of the next Monday in India. The class is at 09:00 on that day. */
function nextMonday(now: Date): string {
  const day = dateInIndia(now)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7 || 7))
  return day.toISOString().slice(0, 10)
}

/** Returns the last day of the fourth month after the current month: March for a class planned in November. */
function fourMonthsLater(now: Date): { readonly date: string; readonly month: string } {
  const day = dateInIndia(now)
  day.setUTCMonth(day.getUTCMonth() + 5, 0)
  const month = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }).format(day)
  return { date: day.toISOString().slice(0, 10), month }
}

/** Returns the keys that enter a date, YYYY-MM-DD. Date fields follow the language of the browser, American English. */
const keysOf = (date: string) => date.slice(5).replace('-', '') + date.slice(0, 4)

/**
 * Saves screenshots in all sizes and both colour schemes. Checks each with axe, and that the page does not scroll
 * sideways.
 * @param visible must be visible without scrolling
 */
async function takePicture(page: Page, name: string, visible?: Locator): Promise<void> {
  for (const [size, viewport] of Object.entries(VIEWPORTS)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await waitForPaint(page)
      if (visible) await expect.soft(visible, `${name}.${size}`).toBeInViewport({ ratio: 1, timeout: 5_000 })
      const fileName = `${name}.${size}.${colorScheme}`
      await page.screenshot({ path: test.info().outputPath(`${fileName}.png`), animations: 'disabled' })
      expect.soft(await axeProblems(page), fileName).toEqual([])
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect.soft(overflow, `${fileName}: the page scrolls sideways`).toBeLessThanOrEqual(0)
    }
  }
  await page.setViewportSize(VIEWPORTS.laptop)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Counts the clicks of each task. */
class Clicks {
  readonly counts: Record<string, number> = {}
  async click(task: string, element: Locator): Promise<void> {
    this.counts[task] = (this.counts[task] ?? 0) + 1
    await element.click()
  }
}

/** Presses the keys that paste `text`, as a user does after copying it elsewhere. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+V')
}

/**
 * Sets the clock of the page to that of the portal, from the next load on. Screens compare times of the server with the
 * clock of the browser.
 */
const shiftClock = (page: Page, portal: Portal) =>
  page.addInitScript((offsetMs) => {
    const Real = Date
    globalThis.Date = new Proxy(Real, {
      construct: (_, args: unknown[]) =>
        Reflect.construct(Real, args.length > 0 ? args : [Real.now() + offsetMs]) as Date,
      get: (target, key) => (key === 'now' ? () => Real.now() + offsetMs : (Reflect.get(target, key) as unknown)),
    })
  }, portal.now().getTime() - Date.now())

const sessionsOf = (page: Page) => page.getByRole('main')

/** Returns functions for the Monday after the current day of the portal. */
function mondayOf(page: Page, portal: Portal, signedIn: SignedIn) {
  const date = nextMonday(portal.now())
  let clock: { dispose: () => Promise<void> } | null = null
  return {
    date,
    advanceTo: (time: string) =>
      portal.advanceClock(Math.round((Date.parse(`${date}T${time}:00+05:30`) - portal.now().getTime()) / 1000)),
    /** Opens a screen as the admin with the clock of the portal. The session has expired after some days. */
    async signInAgain(path: string) {
      await clock?.dispose()
      clock = await shiftClock(page, portal)
      await signedIn('admin', path)
    },
  }
}

test('an instructor spends a Monday with 60 learners, with few clicks', async ({ signedIn, newPageAs, portal }) => {
  const page = await signedIn('admin')
  await page.setViewportSize(VIEWPORTS.laptop)
  const { date: monday, advanceTo, signInAgain } = mondayOf(page, portal, signedIn)
  const clicks = new Clicks()
  const { counts } = clicks
  const machines = page.getByRole('grid', { name: 'Instances' }).locator('tbody').getByRole('row')
  const seats = page.getByRole('list', { name: 'Learners' }).getByRole('listitem')

  await test.step('a roster from Outlook is pasted and ordered for Monday', async () => {
    await clicks.click('order', menuOf(page).getByText('Provision New Instance', { exact: true }))
    await clicks.click('order', page.getByRole('button', { name: CARD }))
    const form = page.getByRole('dialog', { name: 'Order VMs' })
    await expect(form.getByLabel('Training Name')).toBeFocused()
    await page.keyboard.type(TRAINING)
    await page.keyboard.press('Tab')
    await expect(form.getByRole('textbox', { name: 'Email IDs' })).toBeFocused()
    await paste(page, OUTLOOK)
    await expect(form).toContainText(`${SIZE} learners`)
    await takePicture(page, '1-roster')
    await tabTo(page, form.getByLabel('Allocated Hours'))
    await page.keyboard.type('40')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(form.getByLabel('Browser Based VM Access')).toBeChecked()
    await page.keyboard.press('Tab')
    await page.keyboard.type(keysOf(monday))
    await expect(form.getByLabel('Ready on')).toHaveValue(monday)
    await tabTo(page, form.getByLabel('Ready at'))
    await page.keyboard.type('0900AM')
    await expect(form.getByLabel('Ready at')).toHaveValue('09:00')
    await clicks.click('order', form.getByRole('button', { name: 'Submit' }))
    const question = page.getByRole('dialog', { name: 'Create VMs' })
    await expect(question.getByRole('button', { name: `Create ${SIZE} VMs` })).toBeEnabled()
    await takePicture(page, '2-question')
    await clicks.click('order', question.getByRole('button', { name: `Create ${SIZE} VMs` }))
    await expect(page.getByText('The VMs will be ready at 09:00')).toBeVisible()
    expect(counts['order']).toBeLessThanOrEqual(6)
  })

  await test.step('the class is shown as planned on the console, on Home and in Class', async () => {
    await page.getByRole('link', { name: `Watch ${TRAINING} in the Virtual Lab Console` }).click()
    await expect(machines.first()).toContainText('Planned')
    await takePicture(page, '3-console-planned', machines.first().getByText('Planned'))
    await navigate(page, '/')
    await expect(page.getByRole('region', { name: /^Next class: Mon \d+ \w+ 09:00$/ })).toContainText(`${SIZE} seats`)
    const line = page.getByRole('table', { name: 'Trainings' }).getByRole('row').filter({ hasText: TRAINING })
    await expect(line).toContainText(`0 running, ${SIZE} planned`)
    await expect(line).toContainText(/Ready Mon \d+ \w+ at 09:00/)
    await takePicture(page, '4-home-planned')
    await navigate(page, `/vm/class${QUERY}`)
    await expect(seats).toHaveCount(SIZE)
    await expect(page.getByRole('button', { name: 'Stop all' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Stop all' })).toHaveAccessibleDescription(
      'There are no running machines to stop.',
    )
    await takePicture(page, '5-class-planned', seats.first())
  })

  await test.step('a class every Monday for four months', async () => {
    await menuOf(page).getByText('Schedule Task', { exact: true }).click()
    await clicks.click('weekly class', sessionsOf(page).getByRole('button', { name: 'New session', exact: true }))
    const form = page.getByRole('dialog', { name: 'New session' })
    await clicks.click('weekly class', form.getByText('Mon', { exact: true }))
    const end = fourMonthsLater(portal.now())
    await clicks.click('weekly class', form.getByRole('button', { name: new RegExp(`^${end.month} `) }))
    await expect(form.getByLabel('Until', { exact: true })).toHaveValue(end.date)
    await expect(form.getByRole('region', { name: 'Preview' })).toContainText(/\d+ sessions/)
    await takePicture(page, '6-weekly-class')
    await clicks.click('weekly class', form.getByRole('button', { name: 'Create sessions' }))
    await expect(page.getByText(/^\d+ sessions are planned: Mon, 09:00 to 17:00/)).toBeVisible()
    expect(counts['weekly class']).toBeLessThanOrEqual(4)
    await navigate(page, `/vm/calendar${QUERY}&week=${monday}`)
    await expect(sessionsOf(page).getByRole('button', { name: /09:00 to 17:00/ })).toBeVisible()
    await takePicture(page, '7-sessions')
  })

  await test.step('on Monday the machines become ready while the instructor watches', async () => {
    await advanceTo('08:20')
    await signInAgain(`/vm/class${QUERY}`)
    const ready = page.getByRole('region', { name: 'Ready by' })
    await expect(ready).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('8-becoming-ready.laptop.png') })
    await advanceTo('08:59')
    await expect(ready).toContainText(`${SIZE} of ${SIZE} ready`, { timeout: 180_000 })
    await takePicture(page, '8-class-ready', seats.first())
    await navigate(page, `/vm/vmdetails${QUERY}`)
    await expect(machines.first()).toContainText('Running')
    await takePicture(page, '9-console-ready', machines.first().getByText('Running'))
  })

  await advanceTo('09:05')
  await signInAgain(`/vm/class${QUERY}`)
  const learners: Page[] = []
  for (const email of RAISING) {
    const learner = await newPageAs(email)
    await shiftClock(learner, portal)
    await learner.reload()
    learners.push(learner)
  }

  await test.step('an announcement reaches the learners', async () => {
    await clicks.click('announce', page.getByRole('button', { name: 'Announce', exact: true }))
    await expect(page.getByLabel('Text', { exact: true })).toBeFocused()
    await page.keyboard.type('Welcome. Open your machine, we start with chapter one at 09:15.')
    await clicks.click('announce', page.getByRole('button', { name: 'Announce to the class' }))
    for (const learner of learners) await expect(learner.getByText('Welcome. Open your machine')).toBeVisible()
    await takePicture(learners[0]!, '10-learner-announcement')
  })

  await test.step('three hands are raised, with reasons and places', async () => {
    for (const [index, reason] of ['Stuck', 'Question', 'Machine slow'].entries()) {
      const learner = learners[index]!
      await learner.bringToFront()
      await learner.getByRole('button', { name: `Raise hand in ${TRAINING}` }).click()
      await learner.getByRole('button', { name: reason, exact: true }).click()
      await expect(learner.getByRole('button', { name: reason, exact: true })).toHaveAttribute('aria-pressed', 'true')
      await expect(learner.getByText(index === 0 ? 'You are next.' : `Place ${index + 1}.`)).toBeVisible()
      await expect(seats.nth(index)).toContainText(`${['1st · Stuck', '2nd · Question', '3rd · Slow'][index]}`)
    }
    await takePicture(learners[1]!, '11-learner-hand')
    await page.bringToFront()
    await expect(page).toHaveTitle('(3) Class · Virtual Lab Console · Trainyard')
    await takePicture(
      page,
      '12-class-hands',
      page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').nth(1),
    )
  })

  await test.step('the machine of the first is reset', async () => {
    const machine = await openSeat(page, clicks, 'reset', seats.first())
    await takePicture(page, '13-seat')
    await clicks.click('reset', page.getByRole('button', { name: `More actions for ${machine}` }))
    await clicks.click('reset', page.getByRole('menuitem', { name: 'Reset' }))
    const question = page.getByRole('dialog', { name: `Reset ${machine}` })
    await expect(question).toBeVisible()
    await takePicture(page, '14-reset')
    await clicks.click('reset', question.getByRole('button', { name: 'Reset' }))
    await expect(question).toBeHidden()
    await page.getByRole('button', { name: /^Lower hand of / }).click()
    await page.keyboard.press('Escape')
  })

  await test.step('a learner is replaced, and the machine is reset', async () => {
    const machine = await openSeat(page, clicks, 'replace', seats.filter({ hasText: 'Participant 57' }))
    await clicks.click('replace', page.getByRole('button', { name: `More actions for ${machine}` }))
    await clicks.click('replace', page.getByRole('menuitem', { name: 'Hand Over' }))
    const dialog = page.getByRole('dialog', { name: `Hand Over ${machine}` })
    await expect(dialog.getByLabel('New learner’s e-mail')).toBeFocused()
    await page.keyboard.type('substitute@acme.test')
    await clicks.click('replace', dialog.getByText('Reset the machine too'))
    await takePicture(page, '15-replace')
    await clicks.click('replace', dialog.getByRole('button', { name: 'Hand Over and Reset' }))
    await expect(dialog).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(seats.filter({ hasText: 'substitute' })).toHaveCount(1)
    await expect(page.getByRole('button', { name: `Running ${SIZE}`, exact: true })).toBeVisible()
  })

  await test.step('the class is extended by 15 minutes', async () => {
    await clicks.click('extend', page.getByRole('button', { name: 'Extend by 15 minutes' }))
    await expect(page.getByRole('main')).toContainText('and today until 17:15.')
    await expect(page.getByText('The machines run until 17:15.')).toBeVisible()
    expect(counts['extend']).toBe(1)
  })

  await test.step('all machines are stopped', async () => {
    // After the end of the session, within its extension.
    await advanceTo('17:05')
    await signInAgain(`/vm/class${QUERY}`)
    await expect(seats).toHaveCount(SIZE)
    await expect(page.getByRole('button', { name: `Running ${SIZE}`, exact: true })).toBeVisible()
    await clicks.click('stop all', page.getByRole('button', { name: 'Stop all' }))
    await takePicture(page, '16-stop-all')
    await clicks.click(
      'stop all',
      page.getByRole('dialog', { name: 'Stop all' }).getByRole('button', { name: 'Stop all' }),
    )
    expect(counts['stop all']).toBe(2)
    await expect(page.getByRole('button', { name: /^Running / })).toHaveCount(0, { timeout: 120_000 })
    await takePicture(page, '17-class-stopped')
  })
  console.log('Clicks:', counts)
})

/** Opens the dialog of a seat. Returns the name of its machine. */
async function openSeat(page: Page, clicks: Clicks, task: string, seat: Locator): Promise<string> {
  await clicks.click(task, seat.getByRole('button'))
  const dialog = page.getByRole('dialog')
  const label = await dialog.getByRole('button', { name: /^More actions for / }).getAttribute('aria-label')
  return label!.replace('More actions for ', '')
}

/** Presses Enter on an element that Tab reaches, and checks that a focus ring is visible. */
async function choose(page: Page, goal: Locator): Promise<void> {
  await tabTo(page, goal, 120)
  await expectVisibleFocus(page, goal)
  await page.keyboard.press('Enter')
}

/** Compares the page with and without the focus. The focus ring of a card is around more than the card's button. */
async function expectVisibleFocus(page: Page, goal: Locator): Promise<void> {
  const focused = await page.screenshot({ animations: 'disabled' })
  await goal.evaluate((it: HTMLElement) => it.blur())
  const blurred = await page.screenshot({ animations: 'disabled' })
  await goal.evaluate((it: HTMLElement) => it.focus({ focusVisible: true }))
  expect(focused.equals(blurred), `the focus is visible on ${goal.toString()}`).toBe(false)
}

/** Checks that Tab stays within a dialog, and that Escape closes it and returns the focus. */
async function expectDialogOfKeys(page: Page, dialog: Locator, opener: Locator): Promise<void> {
  await expect(dialog).toBeVisible()
  for (let tabs = 0; tabs < 20; tabs += 1) {
    await page.keyboard.press('Tab')
    // Between the last and the first control, the focus is in the browser's own controls.
    const outside = await dialog.evaluate(
      (it) => document.activeElement !== document.body && !it.contains(document.activeElement),
    )
    expect(outside, 'the focus leaves the dialog').toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
}

test('an instructor spends a Monday without a mouse', async ({ signedIn, newPageAs, portal }) => {
  const training = 'Class by Keys'
  const page = await signedIn('admin')
  await page.setViewportSize(VIEWPORTS.laptop)
  const { date: monday, advanceTo, signInAgain } = mondayOf(page, portal, signedIn)
  await signInAgain('/')
  const menu = (name: string) => page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

  await test.step('three learners are ordered for Monday', async () => {
    await choose(page, menu('Provision New Instance'))
    const card = button(new RegExp(CARD))
    await choose(page, card)
    const form = page.getByRole('dialog', { name: 'Order VMs' })
    await expectDialogOfKeys(page, form, card)
    await page.keyboard.press('Enter')
    await expect(form.getByLabel('Training Name')).toBeFocused()
    await page.keyboard.type(training)
    await tabTo(page, form.getByRole('textbox', { name: 'Email IDs' }))
    await expectVisibleFocus(page, form.getByRole('textbox', { name: 'Email IDs' }))
    await paste(page, OUTLOOK.split('; ').slice(0, RAISING.length).join('; '))
    await expect(form).toContainText(`${RAISING.length} learners`)
    await tabTo(page, form.getByLabel('Browser Based VM Access'))
    await page.keyboard.press('Space')
    await tabTo(page, form.getByLabel('Ready on'))
    await page.keyboard.type(keysOf(monday))
    await tabTo(page, form.getByLabel('Ready at'))
    await page.keyboard.type('0900AM')
    await choose(page, form.getByRole('button', { name: 'Submit' }))
    const create = page.getByRole('button', { name: `Create ${RAISING.length} VMs` })
    await expect(create).toBeEnabled()
    await choose(page, create)
    await choose(page, page.getByRole('link', { name: `Watch ${training} in the Virtual Lab Console` }))
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page.getByText('Planned').first()).toBeVisible()
  })

  await test.step('a weekly class until a typed date', async () => {
    await choose(page, menu('Schedule Task'))
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await choose(page, page.getByRole('link', { name: 'Calendar', exact: true }))
    const opener = sessionsOf(page).getByRole('button', { name: 'New session', exact: true })
    await choose(page, opener)
    const form = page.getByRole('dialog', { name: 'New session' })
    await expectDialogOfKeys(page, form, opener)
    await page.keyboard.press('Enter')
    await tabTo(page, form.getByLabel('Monday'))
    await page.keyboard.press('Space')
    const until = form.getByLabel('Until', { exact: true })
    const end = fourMonthsLater(portal.now())
    await tabTo(page, until)
    await page.keyboard.type(keysOf(end.date))
    await expect(until).toHaveValue(end.date)
    await expect(form.getByRole('button', { name: new RegExp(`^${end.month} `), pressed: true })).toBeVisible()
    await choose(page, form.getByRole('button', { name: 'Create sessions' }))
    await expect(page.getByText(/^\d+ sessions are planned: Mon, 09:00 to 17:00/)).toBeVisible()
    await expect(opener).toBeFocused()
  })

  await advanceTo('08:59')
  await signInAgain(`/vm/class?training=${encodeURIComponent(training)}`)
  const seats = page.getByRole('list', { name: 'Learners' }).getByRole('listitem').getByRole('button')
  await expect(page.getByRole('button', { name: `Running ${RAISING.length}`, exact: true })).toBeVisible({
    timeout: 180_000,
  })
  await advanceTo('09:05')
  await signInAgain(`/vm/class?training=${encodeURIComponent(training)}`)

  await test.step('an announcement', async () => {
    const announce = button('Announce')
    await choose(page, announce)
    await expectDialogOfKeys(page, page.getByRole('dialog', { name: 'Announce' }), announce)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Text', { exact: true })).toBeFocused()
    await page.keyboard.type('Welcome.')
    await choose(page, button('Announce to the class'))
    await expect(announce).toBeFocused()
    await expect(page.getByText('Welcome.')).toBeVisible()
  })

  await test.step('a learner raises a hand with a reason; the instructor opens the seat and lowers it', async () => {
    const learner = await newPageAs(RAISING[0])
    await choose(learner, learner.getByRole('button', { name: `Raise hand in ${training}` }))
    await choose(learner, learner.getByRole('button', { name: 'Question', exact: true }))
    await expect(learner.getByText('You are next.')).toBeVisible()
    await page.bringToFront()
    await expect(seats.first()).toContainText('1st · Question')
    await choose(page, seats.first())
    await expectDialogOfKeys(page, page.getByRole('dialog'), seats.first())
    await page.keyboard.press('Enter')
    await choose(page, button(/^Lower hand of /))
    await expect(page.getByRole('dialog')).not.toContainText('in the queue')
  })

  await test.step('a reset and a hand-over from the menu of a seat', async () => {
    const moreActions = button(/^More actions for /)
    const item = async (name: string) => {
      const goal = page.getByRole('menuitem', { name, exact: true })
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      for (let keys = 0; keys < 12 && !(await goal.evaluate((it) => it.matches(':focus'))); keys += 1)
        await page.keyboard.press('ArrowDown')
      await expect(goal).toBeFocused()
      await page.keyboard.press('Enter')
    }
    await choose(page, moreActions)
    await item('Reset')
    const question = page.getByRole('dialog', { name: /^Reset / })
    await expectDialogOfKeys(page, question, moreActions)
    await page.keyboard.press('Enter')
    await item('Reset')
    await choose(page, question.getByRole('button', { name: 'Reset' }))
    await expect(question).toBeHidden()
    await page.keyboard.press('Escape')
    await choose(page, seats.filter({ hasText: 'Vikram' }))
    await choose(page, moreActions)
    await item('Hand Over')
    const handOver = page.getByRole('dialog', { name: /^Hand Over / })
    await expect(handOver.getByLabel('New learner’s e-mail')).toBeFocused()
    await page.keyboard.type('substitute@acme.test')
    await tabTo(page, handOver.getByLabel('Reset the machine too'))
    await page.keyboard.press('Space')
    await choose(page, handOver.getByRole('button', { name: 'Hand Over and Reset' }))
    await expect(handOver).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(seats.filter({ hasText: 'substitute' })).toHaveCount(1)
  })

  await test.step('15 more minutes, and stop all', async () => {
    await choose(page, button('Extend by 15 minutes'))
    await expect(page.getByRole('main')).toContainText('and today until 17:15.')
    const stop = button('Stop all').first()
    await choose(page, stop)
    const question = page.getByRole('dialog', { name: 'Stop all' })
    await expectDialogOfKeys(page, question, stop)
    await page.keyboard.press('Enter')
    await choose(page, question.getByRole('button', { name: 'Stop all' }))
    await expect(page.getByRole('button', { name: /^Running / })).toHaveCount(0, { timeout: 120_000 })
    await expect(stop).toBeFocused()
  })
})
