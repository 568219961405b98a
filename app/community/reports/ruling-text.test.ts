import { expect, test } from 'vitest'
import { filledText, placeholderProblem, withTemplate } from './ruling-text.ts'

const VALUES = { reason: 'Spam or advertising', company: 'Erin & Sons', title: 'Fridays {off}' }

test('each placeholder is filled, also twice, and what it is filled with is no placeholder', () => {
  expect(filledText('{reason}: {title}, {title}. About {company}.', VALUES)).toEqual({
    text: 'Spam or advertising: Fridays {off}, Fridays {off}. About Erin & Sons.',
  })
  expect(filledText('Nothing to fill', VALUES)).toEqual({ text: 'Nothing to fill' })
})

test.each([
  ['Dear {compny}', '“{compny}” cannot be filled. There are {reason}, {company} and {title}.'],
  [
    'Dear { company }',
    '“{ company }” cannot be filled. There are {reason}, {company} and {title}.',
  ],
  ['Dear {}', '“{}” cannot be filled. There are {reason}, {company} and {title}.'],
  ['Dear {company', 'A “{” is not closed by a “}”'],
  ['Dear {{company}', 'A “{” is not closed by a “}”'],
  ['Dear {company}}', 'A “}” has no “{” before it'],
  ['company} and {title}', 'A “}” has no “{” before it'],
  ['{__proto__}', '“{__proto__}” cannot be filled. There are {reason}, {company} and {title}.'],
])('%s is refused with a sentence, and never half filled', (text, problem) => {
  expect(placeholderProblem(text)).toBe(problem)
  expect(filledText(text, VALUES)).toEqual({ problem })
})

test('a post about no company takes no text that names one', () => {
  expect(filledText('{reason}, {company}', { ...VALUES, company: null })).toEqual({
    problem: 'This post has no company to put in place of “{company}”',
  })
})

test('a text of braces alone is looked through in linear time', () => {
  expect(placeholderProblem('{'.repeat(100_000))).toBe('A “{” is not closed by a “}”')
})

test('a template goes behind words that a moderator typed, and takes the place of another template', () => {
  const templates = [{ body: 'No adverts, please.' }, { body: 'No names, please.' }]
  const choose = (note: string) => withTemplate(note, 'No names, please.', templates)
  expect(['', ' ', 'No adverts, please.', 'Dear author,\n'].map(choose)).toEqual([
    'No names, please.',
    'No names, please.',
    'No names, please.',
    'Dear author,\n\nNo names, please.',
  ])
})
