import { describe, expect, test } from 'vitest'
import {
  EMPTY_REQUEST,
  NO_WEBSITE,
  REMEMBERED_EMAIL,
  REQUEST_NAME_MAX,
  REQUEST_PANEL_MS,
  REQUEST_TEXTS,
  REQUEST_TOASTS,
  type RequestForm,
  requestProblems,
  tidyRequest,
} from './company-request.ts'

const visitor = { isSignedIn: false }
const member = { isSignedIn: true }
const asked = (part: Partial<RequestForm>): RequestForm => ({
  ...EMPTY_REQUEST,
  companyName: 'Acme',
  ...part,
})

test('Spec §2.8: the dialog has its texts', () => {
  expect(REQUEST_TEXTS).toMatchObject({
    title: 'Request a Company',
    text: "Don't see the company you're looking for? Submit a request and we'll review it.",
    name: 'Company Name *',
    notify: 'Notify me when this company is added',
    email: 'Your Email',
    cancel: 'Cancel',
    submit: 'Submit',
    submitting: 'Submitting...',
    sentTitle: 'Request Submitted!',
    sentText: "Thanks for your request. We'll review and add the company when approved.",
  })
})

test('Spec §3, §7.3, §9: the browser remembers the address, sends "Not provided", and closes after 3 s', () => {
  expect(REMEMBERED_EMAIL).toBe('userRequestEmail')
  expect(NO_WEBSITE).toBe('Not provided')
  expect(REQUEST_PANEL_MS).toBe(3000)
})

test('Spec §8: a request has its toasts', () => {
  expect(REQUEST_TOASTS.failed).toBe('Failed to submit company request. Please try again.')
  expect(REQUEST_TOASTS.sent).toBe('Company request submitted successfully!')
})

describe('Spec §5: what a request needs', () => {
  test.each(['', '   ', '\n', '\u200b'])(
    'a request needs a name that isn’t blank: %j',
    (companyName) => {
      expect(requestProblems(asked({ companyName }), visitor).companyName).toBe(
        'Please enter a company name',
      )
    },
  )

  test('a request needs the email of a visitor who wants a mail, and of no one else', () => {
    const wish = asked({ isNotify: true })
    expect(requestProblems(wish, visitor).notifyEmail).toBe(
      'Please enter your email to be notified',
    )
    expect(requestProblems(wish, member).notifyEmail).toBeUndefined()
    expect(requestProblems(asked({}), visitor).notifyEmail).toBeUndefined()
  })

  test.each([
    'nobody',
    'a b@c.example',
    'a@b.example,c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'Vera <a@b.example>',
    '<a@b.example>',
    'c,a@b.example',
    `${'a'.repeat(250)}@b.example`,
  ])(
    'a request takes one address, and nothing a header could mistake for more: %j',
    (notifyEmail) => {
      expect(requestProblems(asked({ isNotify: true, notifyEmail }), visitor).notifyEmail).toBe(
        'This doesn’t look like an email address',
      )
    },
  )

  test('a request takes a website or none', () => {
    for (const companyWebsite of [
      '',
      '  ',
      'acme.example',
      'http://acme.com',
      'https://acme.com/x',
    ])
      expect(requestProblems(asked({ companyWebsite }), visitor).companyWebsite).toBeUndefined()
    for (const companyWebsite of [
      'javascript:alert(1)',
      'javascript://acme.com/%0aalert(1)',
      'data:text/html,x',
      'ftp://acme.com',
      'http://localhost',
      'https://a b.com',
      `https://acme.com/${'x'.repeat(300)}`,
    ])
      expect(requestProblems(asked({ companyWebsite }), visitor).companyWebsite).toEqual(
        expect.any(String),
      )
  })

  test('a request takes a name on one line and within its limit', () => {
    const problem = (companyName: string) =>
      requestProblems(asked({ companyName }), visitor).companyName
    expect(problem('x'.repeat(REQUEST_NAME_MAX))).toBeUndefined()
    expect(problem('x'.repeat(REQUEST_NAME_MAX + 1))).toBe(
      'A company name can have at most 120 characters',
    )
    expect(problem('Acme\r\nBcc: everybody@kettle.example')).toBe(
      'A company name must be on one line',
    )
  })
})

test('a request is stored with single spaces, no invisible characters and a scheme', () => {
  expect(
    tidyRequest(
      asked({
        companyName: '  Acme\t \u202eTea ',
        companyWebsite: ' acme.com ',
        notifyEmail: ' a@b.c ',
      }),
    ),
  ).toEqual({
    companyName: 'Acme Tea',
    companyWebsite: 'https://acme.com',
    isNotify: false,
    notifyEmail: 'a@b.c',
  })
})
