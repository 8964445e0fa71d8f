import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { LMS, LMS_VIEWS, type LmsView } from '../contract/lms-words.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { LtiClaims } from './lms-provider.ts'

const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim/'
const MEMBERSHIP = 'http://purl.imsglobal.org/vocab/lis/v2/membership'

/** The claims of a launch that the portal uses. */
export interface Launch {
  readonly deployment: string
  readonly subject: string
  readonly name: string | null
  /** E-mail address that the LMS sent. Users of the LMS may be able to choose this address. */
  readonly email: string | null
  readonly isInstructor: boolean
  /** False for users who only look at a course: Canvas' test student, and mentors of learners. */
  readonly takesSeat: boolean
  readonly course: LaunchedCourse
  readonly view: LmsView
  /** The activity that was opened; null if the launch is a content selection. */
  readonly link: LaunchedLink | null
  /**
   * Set for a content selection. `returnUrl` is the address to which the selection is sent. `data` is opaque data of
   * the LMS that is returned unchanged.
   */
  readonly deepLink: { readonly returnUrl: string; readonly data: string | null } | null
}

export interface LaunchedLink {
  readonly id: string
  readonly title: string
  /** Address of the activity's column in the gradebook. Null if there is no column, or if scores are not allowed. */
  readonly lineItemUrl: string | null
}

interface LaunchedCourse {
  readonly id: string
  readonly title: string
  readonly membershipsUrl: string | null
}

/**
 * Returns the claims of a launch whose signature has been verified. Custom parameters only select a view, because
 * instructors can change them.
 * @param origin origin of this portal
 * @throws Problem forbidden
 */
export function readLaunch(claims: LtiClaims, origin: string): Launch {
  if (claims[`${CLAIM}version`] !== '1.3.0') throw refused('The LMS did not send an LTI 1.3 message.')
  const message = claims[`${CLAIM}message_type`]
  const isDeepLinking = message === 'LtiDeepLinkingRequest'
  if (!isDeepLinking && message !== 'LtiResourceLinkRequest') {
    throw refused('The LMS sent a message that the portal does not support.')
  }
  if (URL.parse(textIn(claims, `${CLAIM}target_link_uri`) ?? '')?.origin !== origin) throw refused(LMS.otherSite)
  return {
    ...personOf(claims),
    deployment: deploymentOf(claims),
    isInstructor: isInstructor(rolesIn(claims)),
    takesSeat: !isVisitor(rolesIn(claims)),
    course: courseOf(claims),
    view: viewOf(objectIn(claims, `${CLAIM}custom`)),
    link: isDeepLinking ? null : linkOf(claims),
    deepLink: isDeepLinking ? deepLinkOf(claims) : null,
  }
}

/** @throws Problem forbidden */
function deploymentOf(claims: LtiClaims): string {
  const deployment = identifierIn(claims, `${CLAIM}deployment_id`)
  if (deployment === null) throw refused('The LMS did not state its deployment.')
  return deployment
}

function personOf(claims: LtiClaims): Pick<Launch, 'subject' | 'name' | 'email'> {
  const subject = identifierIn(claims, 'sub')
  if (subject === null) throw refused(LMS.anonymous)
  return { subject, name: nameOf(claims), email: emailOf(claims) }
}

function courseOf(claims: LtiClaims): LaunchedCourse {
  const context = objectIn(claims, `${CLAIM}context`)
  const id = identifierIn(context, 'id')
  if (id === null) throw refused(LMS.noCourse)
  const title = displayText(textIn(context, 'title') ?? textIn(context, 'label') ?? id) ?? id
  const service = objectIn(claims, 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice')
  return { id, title, membershipsUrl: textIn(service, 'context_memberships_url') }
}

const SCORE_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score'

/** @throws Problem forbidden if the LMS does not identify the activity */
function linkOf(claims: LtiClaims): LaunchedLink {
  const link = objectIn(claims, `${CLAIM}resource_link`)
  const id = identifierIn(link, 'id')
  if (id === null) throw refused('The LMS did not state which activity was opened.')
  const service = objectIn(claims, 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint')
  const { scope } = service
  const isAllowed = Array.isArray(scope) && scope.includes(SCORE_SCOPE)
  const title = displayText(textIn(link, 'title') ?? id) ?? id
  return { id, title, lineItemUrl: isAllowed ? textIn(service, 'lineitem') : null }
}

/** @throws Problem forbidden if the claim is missing; an empty list is allowed */
function rolesIn(claims: LtiClaims): readonly string[] {
  const roles = claims[`${CLAIM}roles`]
  if (!Array.isArray(roles)) throw refused('The LMS did not state the roles of the user.')
  return roles.filter((role) => typeof role === 'string')
}

/**
 * Returns true for a role in the course. Roles in the institution or the LMS, such as administrator, give no rights in a
 * course. Short role names are deprecated, but still in use.
 */
const hasCourseRole = (roles: readonly string[], name: string): boolean =>
  roles.some((role) => role === name || role === `${MEMBERSHIP}#${name}` || role.startsWith(`${MEMBERSHIP}/${name}#`))

export const isInstructor = (roles: readonly string[]): boolean => hasCourseRole(roles, 'Instructor')

/** Role of the test student as whom an instructor of Canvas views a course, beside the role of a learner. */
const TEST_USER = 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser'

/** Returns true for users who take part in no course: test students, and mentors such as parents. */
const isVisitor = (roles: readonly string[]): boolean =>
  roles.includes(TEST_USER) || (hasCourseRole(roles, 'Mentor') && !hasCourseRole(roles, 'Learner'))

/** Returns true for learners of the course, without visitors. */
export const isLearner = (roles: readonly string[]): boolean => hasCourseRole(roles, 'Learner') && !isVisitor(roles)

/** @throws Problem forbidden for a user who is not an instructor, or a request without a valid return address */
function deepLinkOf(claims: LtiClaims): Launch['deepLink'] {
  if (!isInstructor(rolesIn(claims))) throw refused('Only instructors of the course choose its content.')
  const settings = objectIn(claims, 'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings')
  const returnUrl = URL.parse(textIn(settings, 'deep_link_return_url') ?? '')
  if (returnUrl === null || !/^https?:$/.test(returnUrl.protocol))
    throw refused('The LMS did not state where to send the choice.')
  const types = settings['accept_types']
  if (!Array.isArray(types) || !types.includes('ltiResourceLink')) throw refused('The LMS accepts no activities here.')
  const { data } = settings
  return { returnUrl: returnUrl.href, data: typeof data === 'string' ? data : null }
}

function viewOf(custom: LtiClaims): LmsView {
  const view = textIn(custom, 'trainyard_view')
  return LMS_VIEWS.find((each) => each === view) ?? 'training'
}

export function nameOf(claims: LtiClaims): string | null {
  const parts = [textIn(claims, 'given_name'), textIn(claims, 'family_name')].filter((part) => part !== null)
  return displayText(textIn(claims, 'name') ?? parts.join(' '))
}

function emailOf(claims: LtiClaims): string | null {
  const email = normaliseEmail(textIn(claims, 'email') ?? '')
  return isEmail(email) ? email : null
}

const NAME_LENGTH = 100

/** Removes control characters and characters that change the direction of the text around a name. */
function displayText(text: string): string | null {
  const clean = text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .toWellFormed()
    .trim()
  return [...clean].slice(0, NAME_LENGTH).join('').trim() || null
}

/** Returns null for a variable such as `$User.id` that the LMS does not support and therefore sends unchanged. */
function textIn(object: LtiClaims, name: string): string | null {
  const value = object[name]
  return typeof value === 'string' && value !== '' && !value.startsWith('$') ? value : null
}

/** Returns an identifier of at most 255 ASCII characters (LTI Core 1.3); null for any other value. */
function identifierIn(object: LtiClaims, name: string): string | null {
  const value = textIn(object, name)
  return value !== null && /^[\x20-\x7e]{1,255}$/.test(value) ? value : null
}

const objectIn = (object: LtiClaims, name: string): LtiClaims => {
  const value = object[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LtiClaims) : {}
}

const refused = (sentence: string): Problem => new Problem('forbidden', sentence)
