import { describe, expect, test } from 'vitest'
import { ALL_ALLOWED, isLetIn, NONE_ALLOWED, robotsRules } from './robots-file.ts'

const reads = (text: string, path: string, program = 'KettleBot') =>
  isLetIn(robotsRules(text, program), `https://movers.test${path}`)

describe('RFC 9309: groups', () => {
  const text = `# Hello
User-agent: OtherBot
Disallow: /

USER-AGENT : *
disallow: /private/   # not for programs

User-Agent: KettleBot/1.0
User-agent: FriendBot
Allow: /private/ours
Disallow: /slow
Sitemap: https://movers.test/sitemap.xml
`
  test('the one that names us counts, and not the one for everybody', () => {
    expect(reads(text, '/private/')).toBe(true)
    expect(reads(text, '/slow')).toBe(false)
    expect(reads(text, '/slow', 'friendbot')).toBe(false)
  })
  test('who is not named is everybody', () => {
    expect(reads(text, '/private/x', 'Somebody')).toBe(false)
    expect(reads(text, '/slow', 'Somebody')).toBe(true)
    expect(reads(text, '/', 'OtherBot')).toBe(false)
  })
  test('several for us are one', () => {
    const twice =
      'User-agent: kettlebot\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: KettleBot\nDisallow: /b'
    expect(['/a', '/b', '/c'].map((path) => reads(twice, path))).toEqual([false, false, true])
  })
  test('rules before any name belong to nobody', () => {
    expect(reads('Disallow: /\nUser-agent: *\nDisallow: /a', '/b')).toBe(true)
  })
  test('a longer name than ours is not us', () => {
    expect(reads('User-agent: KettleBotImages\nDisallow: /', '/')).toBe(true)
  })
  test('line ends of all systems, a byte order mark and lines that say nothing', () => {
    expect(reads('\ufeffUser-agent: *\r\nnonsense\r\nDisallow: /a\r\n', '/a')).toBe(false)
    expect(reads('User-agent: *\rDisallow: /a', '/a')).toBe(false)
  })
})

describe('RFC 9309: rules', () => {
  const group = (rules: string) => `User-agent: *\n${rules}`
  test.each([
    ['the beginning of a path', 'Disallow: /fish', '/fishheads/yummy.html', false],
    ['capitals count', 'Disallow: /fish', '/Fish.asp', true],
    ['nothing forbids nothing', 'Disallow:', '/', true],
    ['the longest decides', 'Disallow: /symbols\nAllow: /symbols/A', '/symbols/ACME', true],
    ['whatever stands first', 'Allow: /symbols/A\nDisallow: /symbols', '/symbols/B', false],
    ['between equals the kinder', 'Disallow: /page\nAllow: /page', '/page', true],
    ['a star is anything', 'Disallow: /*/private', '/a/b/private/c', false],
    ['a star is nothing, too', 'Disallow: /a*b', '/ab', false],
    ['a star that finds nothing', 'Disallow: /*.php', '/index.html', true],
    ['the end', 'Disallow: /*.php$', '/index.php', false],
    ['not the end', 'Disallow: /*.php$', '/index.php?x=1', true],
    ['the end of all', 'Disallow: /$', '/', false],
    ['only of that', 'Disallow: /$', '/a', true],
    ['the end finds the last', 'Disallow: /*a$', '/a/ba', false],
    ['stars that overlap match once', 'Disallow: /aa*aa$', '/aaa', true],
    ['the query counts', 'Disallow: /*?sort=', '/list?sort=up', false],
    ['escapes are one spelling', 'Disallow: /caf%c3%a9', '/caf%C3%A9', false],
    ['letters and their escapes', 'Disallow: /café', '/caf%C3%A9/', false],
    ['needless escapes', 'Disallow: /%61bc', '/abc', false],
    ['an escaped slash is no slash', 'Disallow: /a%2fb', '/a/b', true],
    ['robots.txt itself', 'Disallow: /', '/robots.txt', true],
  ])('%s', (_, rules, path, expected) => expect(reads(group(rules), path)).toBe(expected))

  test('no pattern takes long', () => {
    const text = group(`Disallow: /${'a*'.repeat(5_000)}b$`)
    const start = performance.now()
    expect(reads(text, `/${'a'.repeat(50_000)}`)).toBe(true)
    expect(performance.now() - start).toBeLessThan(500)
  })
})

test('a delay is a number of seconds, of the group that counts', () => {
  const delay = (text: string) => robotsRules(text, 'KettleBot').crawlDelay
  expect(delay('User-agent: *\nCrawl-delay: 2.5')).toBe(2.5)
  expect(delay('User-agent: *\nCrawl-delay: 9\n\nUser-agent: KettleBot\nDisallow: /x')).toBe(
    undefined,
  )
  for (const odd of ['soon', '-1', ''])
    expect(delay(`User-agent: *\nCrawl-delay: ${odd}`)).toBe(undefined)
})

test('no file lets us in; a file that cannot be had does not', () => {
  expect(isLetIn(ALL_ALLOWED, 'https://movers.test/')).toBe(true)
  expect(isLetIn(NONE_ALLOWED, 'https://movers.test/')).toBe(false)
})
