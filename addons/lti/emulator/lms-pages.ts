import type { FastifyInstance, FastifyReply } from 'fastify'
import type { LmsDependencies, Opened } from './parts.ts'
import { INSTRUCTOR, type Link } from './records.ts'
import { html, type Html, table } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'

interface PageDependencies extends LmsDependencies {
  readonly emulated: Emulated
  begin(launch: Opened, storageTarget: string | null): { readonly address: string; readonly values: object }
  startRegistration(): object
  addLink(given: Omit<Link, 'id' | 'item'> & { lineItem: { scoreMaximum: number } | null }): Link
  sendForm(reply: FastifyReply, address: string, values: object): FastifyReply
}

/** Frame that stores values for tools whose cookies the browser blocks (LTI postMessage storage 1.0). */
const STORAGE_FRAME = `<!doctype html><title>Storage</title><script>
const values = new Map()
addEventListener('message', ({ data, origin, source }) => {
  if (typeof data !== 'object' || data === null) return
  const { subject, message_id, key, value } = data
  const reply = (more) => source.postMessage({ subject: subject + '.response', message_id, ...more }, origin)
  const name = origin + ' ' + key
  if (subject === 'lti.capabilities') reply({ supported_messages: [{ subject: 'lti.put_data' }, { subject: 'lti.get_data' }] })
  else if (subject === 'lti.put_data') { values.set(name, value); reply({ key, value }) }
  else if (subject === 'lti.get_data') reply({ key, value: values.get(name) })
})
</script>`

/** Pages of the LMS: its administration, its courses, and activities in a frame or in a tab. */
export function mountLmsPages(server: FastifyInstance, parts: PageDependencies): void {
  const { records, emulated } = parts
  // If the page registers a tool, its form leads to the tool.
  const show = (reply: FastifyReply, title: string, content: Html) =>
    sendPage(reply, emulated, title, content, undefined, '*')
  const courseUrl = (course: string, user: string): string =>
    `/lms/courses/${encodeURIComponent(course)}?as=${encodeURIComponent(user)}`

  server.get('/lms', (_request, reply) => {
    const courses = records.courses().map(
      ({ id, title }) =>
        html`<h2>${title}</h2>
          <p>Open the course as:</p>
          <ul>
            ${records
              .members(id)
              .slice(0, 50)
              .map(
                (member) =>
                  html`<li>
                    <a href="${courseUrl(id, member.id)}">${member.name ?? `User ${member.id}`}</a>
                    <span class="quiet">${member.roles.includes(INSTRUCTOR) ? 'teacher' : 'student'}</span>
                  </li>`,
              )}
          </ul>`,
    )
    const tools = records
      .tools()
      .map(({ clientId, name, deployment, isActive }) => [
        name,
        clientId,
        deployment,
        isActive
          ? 'Active'
          : html`<form method="post" action="/lms/tools/${clientId}/activate"><button>Activate</button></form>`,
      ])
    return show(
      reply,
      'LMS',
      html`${courses}
        <h2>External tools</h2>
        ${tools.length === 0 ? html`<p>No tool is registered.</p>` : table(['Tool', 'Client ID', 'Deployment', 'State'], tools)}
        <form method="get" action="/lms/register">
          <label>Registration address of the tool <input name="url" type="url" size="60" required /></label>
          <button>Register</button>
        </form>`,
    )
  })

  server.get('/lms/register', (request, reply) => {
    const url = new URL((request.query as { url: string }).url)
    for (const [name, value] of Object.entries(parts.startRegistration())) url.searchParams.set(name, String(value))
    return reply.redirect(url.href, 303)
  })

  server.post('/lms/tools/:clientId/activate', (request, reply) => {
    const tool = records.tool((request.params as { clientId: string }).clientId)
    if (tool !== undefined) records.putTool({ ...tool, isActive: true })
    return reply.redirect('/lms', 303)
  })

  server.get('/lms/courses/:course', (request, reply) => {
    const { course: id } = request.params as { course: string }
    const { as = '' } = request.query as { as?: string }
    const course = records.course(id)
    const user = records.member(id, as)
    if (course === undefined || user === undefined)
      return show(reply.code(404), 'No such course', html`<p>Choose again.</p>`)
    const isTeacher = user.roles.includes(INSTRUCTOR)
    const open = (link: Link, targetKind: string) => `/lms/links/${link.id}/${targetKind}?as=${encodeURIComponent(as)}`
    const activities = records
      .links()
      .filter((link) => link.course === id)
      .map((link) => [
        html`<a href="${open(link, 'frame')}">${link.title}</a>`,
        html`<a href="${open(link, 'window')}" target="_blank">Open in a new tab</a>`,
      ])
    const active = records.tools().filter(({ isActive }) => isActive)
    const forms = active.map(
      ({ clientId, name }) =>
        html`<form method="post" action="/lms/courses/${id}/links">
            <input type="hidden" name="as" value="${as}" /><input type="hidden" name="clientId" value="${clientId}" />
            <label>Activity <input name="title" value="${name}" required /></label>
            <label>Points <input name="maximum" type="number" min="0" value="100" /></label>
            <button>Add</button>
          </form>
          <p><a href="/lms/courses/${id}/select?as=${as}&client=${clientId}">Select content of ${name}</a></p>`,
    )
    const grades = records
      .items()
      .filter((item) => item.course === id)
      .flatMap((item) =>
        records
          .scores(item.id)
          .filter((score) => isTeacher || score.user === as)
          .map((score) => [
            records.member(id, score.user)?.name ?? score.user,
            item.label,
            score.given === null || score.maximum === null
              ? '–'
              : `${Math.round((score.given / score.maximum) * item.maximum * 100) / 100} / ${item.maximum}`,
            score.comment ?? '',
          ]),
      )
    return show(
      reply,
      course.title,
      html`<p>Signed in as ${user.name ?? `user ${user.id}`}. <a href="/lms">Change</a></p>
        <h2>Activities</h2>
        ${activities.length === 0 ? html`<p>No activity yet.</p>` : table(['Activity', ''], activities)}
        ${isTeacher ? forms : ''}
        <h2>Grades</h2>
        ${grades.length === 0 ? html`<p>No grade yet.</p>` : table(['User', 'Column', 'Points', 'Comment'], grades)}`,
    )
  })

  server.post('/lms/courses/:course/links', (request, reply) => {
    const { course } = request.params as { course: string }
    const { as, clientId, title, maximum } = request.body as Record<'as' | 'clientId' | 'title' | 'maximum', string>
    const tool = records.tool(clientId)
    const points = Number(maximum)
    if (tool !== undefined)
      parts.addLink({
        course,
        clientId,
        title,
        url: tool.targetUrl,
        custom: {},
        lineItem: points > 0 ? { scoreMaximum: points } : null,
      })
    return reply.redirect(courseUrl(course, as), 303)
  })

  const openedBy = (id: string, user: string, target: Opened['target']): Opened | null => {
    const link = records.link(id)
    return link === undefined ? null : { user, course: link.course, clientId: link.clientId, link, target }
  }

  // Sent without the content security policy of the other pages, because the tool in the frame has another origin.
  const sendFrame = (
    reply: FastifyReply,
    { title, course, source }: { readonly title: string; readonly course: string; readonly source: string },
  ): FastifyReply => {
    const { text } = html`<meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} - Emulator</title>
      <p><a href="${course}">Back to the course</a></p>
      <iframe name="lti_storage" src="/lms/storage" hidden></iframe>
      <iframe title="${title}" src="${source}" style="width: 100%; height: 30rem; border: 1px solid"></iframe>`
    return reply.type('text/html; charset=utf-8').send(`<!doctype html><html lang="en">${text}</html>`)
  }

  server.get('/lms/links/:id/:where', (request, reply) => {
    const { id, where: targetKind } = request.params as { id: string; where: string }
    const { as = '', storage } = request.query as { as?: string; storage?: string }
    const launch = openedBy(id, as, targetKind === 'window' ? 'window' : 'iframe')
    if (launch === null) return show(reply.code(404), 'No such activity', html`<p>Choose again.</p>`)
    if (targetKind === 'frame') {
      const { title, course } = launch.link!
      const storageQuery = storage === undefined ? '' : '&storage=1'
      return sendFrame(reply, {
        title,
        course: courseUrl(course, as),
        source: `/lms/links/${id}/iframe?as=${as}${storageQuery}`,
      })
    }
    const { address, values } = parts.begin(launch, storage === undefined ? null : 'lti_storage')
    return parts.sendForm(reply, address, values)
  })

  server.get('/lms/courses/:course/select', (request, reply) => {
    const { course } = request.params as { course: string }
    const { as = '', client = '', framed } = request.query as { as?: string; client?: string; framed?: string }
    if (framed !== undefined)
      return sendFrame(reply, {
        title: 'Select content',
        course: courseUrl(course, as),
        source: `/lms/courses/${encodeURIComponent(course)}/select?as=${as}&client=${client}`,
      })
    const { address, values } = parts.begin({ user: as, course, clientId: client, link: null, target: 'window' }, null)
    return parts.sendForm(reply, address, values)
  })

  server.get('/lms/storage', (_request, reply) => reply.type('text/html').send(STORAGE_FRAME))
}
