import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './markdown.server.ts'

const REL = 'rel="nofollow ugc noopener"'
const htmlOf = (text: string) => renderMarkdown(text).html.trim()

describe('markdown becomes HTML', () => {
  test.each([
    ['paragraphs and breaks', 'a\nb  \nc\n\nd', '<p>a\nb<br>\nc</p>\n<p>d</p>'],
    [
      'emphasis',
      '*a* **b** ~~c~~ `d`',
      '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>',
    ],
    [
      'headings, two steps down',
      '# a\n## b\n### c\n#### d\n###### e',
      '<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h6>d</h6>\n<h6>e</h6>',
    ],
    [
      'code without its language',
      '```js onclick=x\na < b\n```',
      '<pre><code>a &lt; b\n</code></pre>',
    ],
    ['quotes', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['lists', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['numbered lists', '3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    ['a rule below a paragraph', 'a\n---', '<p>a</p>\n<hr>'],
    ['~5 and ~6 as they are', '~5 and ~6', '<p>~5 and ~6</p>'],
  ])('%s', (_, text, html) => {
    expect(htmlOf(text)).toBe(html)
  })

  test('tables, whose columns may lean, and whose rows may be short', () => {
    expect(htmlOf('|a|b|\n|-|-:|\n|1|2|\n|3|').replaceAll('\n', '')).toBe(
      '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td align="right">2</td></tr><tr><td>3</td></tr></tbody></table>',
    )
  })

  test('and an excerpt, which is text', () => {
    expect(renderMarkdown('# Hi\n\n**you** & <i>').excerpt).toBe('Hi you & <i>')
  })
})

test('a bare e-mail address stays text', () => {
  expect(htmlOf('ask a@b.example now')).toBe('<p>ask a@b.example now</p>')
})

describe('links', () => {
  test.each([
    [
      'show where they go',
      '[x](https://a.example/b?c&d)',
      `<a href="https://a.example/b?c&amp;d" ${REL}>x</a> <small>(a.example)</small>`,
      1,
    ],
    [
      'that show it already say it once',
      '<https://a.example/b>',
      `<a href="https://a.example/b" ${REL}>https://a.example/b</a>`,
      1,
    ],
    [
      'cannot lie',
      '[bank.example](http://evil.example)',
      `<a href="http://evil.example" ${REL}>bank.example</a> <small>(evil.example)</small>`,
      1,
    ],
    [
      'are found in text',
      'www.a.example',
      `<a href="http://www.a.example" ${REL}>www.a.example</a>`,
      1,
    ],
    [
      'lead to mailboxes',
      '<a@b.example>',
      `<a href="mailto:a@b.example" ${REL}>a@b.example</a>`,
      1,
    ],
    ['lead to our own pages', '[x](/companies/acme)', `<a href="/companies/acme" ${REL}>x</a>`, 1],
    [
      'stand for images',
      '![x](https://a.example/b.png)',
      `<a href="https://a.example/b.png" ${REL}>x</a> <small>(a.example)</small>`,
      1,
    ],
    [
      'stand for images without words',
      '![](https://a.example/b.png)',
      `<a href="https://a.example/b.png" ${REL}>https://a.example/b.png</a>`,
      1,
    ],
    ['hold no other link', '[![x](https://a.example/b.png)](/c)', `<a href="/c" ${REL}>x</a>`, 1],
    ['have no title', '[x](/a "b")', `<a href="/a" ${REL}>x</a>`, 1],
    ['do not hide their host behind a name', '[x](https://bank.example@evil.example)', 'x', 0],
    ['do not leave over two slashes', '[x](//evil.example)', 'x', 0],
    [
      'do not leave over a backslash',
      '[x](/\\evil.example)',
      `<a href="/%5Cevil.example" ${REL}>x</a>`,
      1,
    ],
    ['are not relative', '[x](y) [z](?a) [q](#b)', 'x z q', 0],
  ])('%s', (_, text, html, links) => {
    expect(renderMarkdown(text)).toMatchObject({ html: `<p>${html}</p>`, links })
  })
})

/** The tags of some HTML, as a browser would find them: an unclosed one is a failure too. */
function tagsOf(html: string) {
  const tags = html.match(/<[^>]*>?/g) ?? []
  return tags.map((tag) => {
    const parts = /^<(\/?)([a-z]+[1-6]?)((?: [a-z]+="[^"<>]*")*)>$/.exec(tag)
    if (!parts) throw new Error(`Not a tag: ${tag}`)
    return { isEnd: parts[1] === '/', name: parts[2] ?? '', attributes: parts[3] ?? '' }
  })
}

const ALLOWED = new Set(
  'p br hr em strong del code pre blockquote ul ol li table thead tbody tr th td h3 h4 h5 h6 a small'.split(
    ' ',
  ),
)
const ALLOWED_ATTRIBUTES: Record<string, RegExp> = {
  a: /^ href="(?:https?:\/\/[^"]+|mailto:[^"]+|\/(?!\/)[^"]*)" rel="nofollow ugc noopener"$/i,
  ol: /^(?: start="\d{1,9}")?$/,
  th: /^(?: align="(?:left|right|center)")?$/,
  td: /^(?: align="(?:left|right|center)")?$/,
}

/** Every tag and attribute is on the list, every tag is closed in turn, no link is in a link. */
function expectHarmless(html: string) {
  const open: string[] = []
  for (const { isEnd, name, attributes } of tagsOf(html)) {
    expect(ALLOWED, html).toContain(name)
    expect(attributes, html).toMatch(isEnd ? /^$/ : (ALLOWED_ATTRIBUTES[name] ?? /^$/))
    if (isEnd) expect(open.pop(), html).toBe(name)
    else if (name !== 'br' && name !== 'hr') {
      if (name === 'a') expect(open, html).not.toContain('a')
      open.push(name)
    }
  }
  expect(open, html).toEqual([])
}

const SCRIPT = '<script>alert(1)</script>'

describe('nothing that an author writes runs', () => {
  test.each([
    SCRIPT,
    `# ${SCRIPT}`,
    `> ${SCRIPT}`,
    `- ${SCRIPT}`,
    `1. ${SCRIPT}`,
    `*${SCRIPT}*`,
    `\`${SCRIPT}\``,
    `\`\`\`\n${SCRIPT}\n\`\`\``,
    `\`\`\`"><img src=x onerror=alert(1)>\na\n\`\`\``,
    `    ${SCRIPT}`,
    `|${SCRIPT}|\n|-|\n|${SCRIPT}|`,
    `[${SCRIPT}](/a)`,
    `[a](/b "${SCRIPT}")`,
    `[a](/b '" onclick="alert(1)')`,
    `[a](<${SCRIPT}>)`,
    `![${SCRIPT}](https://a.example)`,
    `![" onerror="alert(1)](https://a.example)`,
    `![a](https://a.example/"onerror="alert(1))`,
    `[a]: ${SCRIPT}\n\n[a]`,
    `[a]: /b "\\"><script>"\n\n[a]`,
    '<img src=x onerror=alert(1)>',
    '<img src=x onerror=alert(1)',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)',
    '<!-- a --><script>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<script>]]>',
    '<?php alert(1) ?>',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe srcdoc="<script>">',
    '<math><mtext><style><img src onerror=alert(1)>',
    '</p></div><script>',
    '<p style="color:red" id=a class=b>',
    '&lt;script&gt;alert(1)',
    '&#60;script&#62;',
    '\\<script>',
    'a<script/src=//evil>',
    '<scr\u0000ipt>',
    '<https://a.example/"onmouseover="alert(1)>',
    'https://a.example/"onmouseover="alert(1)',
    "https://a.example/'onmouseover='alert(1)",
    'www.a.example/<script>',
    'https://a.example/<script>alert(1)</script>',
    '[a](https://b.example"onclick=alert(1))',
    '<mailto:a@b.c?"onclick=alert(1)>',
    'a"onclick="b@c.example',
  ])('in %j', (text) => {
    expectHarmless(renderMarkdown(text).html)
  })

  test.each(
    [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'javascript&colon;alert(1)',
      'javascript&#58;alert(1)',
      '&#106;avascript:alert(1)',
      '&#x6A;avascript:alert(1)',
      '&#0000106avascript:alert(1)',
      'java\\script:alert(1)',
      'java&Tab;script:alert(1)',
      'java&NewLine;script:alert(1)',
      'java%0ascript:alert(1)',
      '&#1;javascript:alert(1)',
      '%20javascript:alert(1)',
      '\u00a0javascript:alert(1)',
      'javascript\\:alert(1)',
      'javascript://a.example/%0aalert(1)',
      'data:text/html,<script>',
      'data:text/html;base64,PHNjcmlwdD4=',
      'DATA:text/html,x',
      'vbscript:msgbox(1)',
      'file:///etc/passwd',
      'blob:https://a.example/x',
      'feed:javascript:alert(1)',
      'view-source:javascript:alert(1)',
      'ftp://a.example',
      'irc://a.example',
      'xmpp:a@b.example',
      'intent://a',
      'http:',
      'https://',
      '//evil.example',
      '/&sol;evil.example',
      '&#47;/evil.example',
    ].flatMap((address) => [
      `[a](${address})`,
      `[a](<${address}>)`,
      `![a](${address})`,
      `<${address}>`,
      `[a]: ${address}\n\n[a]`,
      `[![b](${address})](${address})`,
    ]),
  )('nor does %j lead anywhere', (text) => {
    const { html, links } = renderMarkdown(text)
    expectHarmless(html)
    expect(html).not.toContain('<a ')
    expect(links).toBe(0)
  })

  test('in thousands of random texts', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...'* ** _ ~~ ` ``` [ ] ( ) ![ ]( < > "  \' & ; : | |- # - 1. \\ / \n \n\n > \t <a <img onerror= href=" src= --> <!-- javascript: JAVASCRIPT&colon; data: http:// https://a.example/ www. @b.example mailto: &lt; &#60; &quot; &#106; [a]: [a] ~~~ style=x |a|b|\n|-|-|\n'.split(
          ' ',
        ),
        ' ',
        '    ',
        SCRIPT,
        '\n\n[a]: javascript:x\n',
        '[x](javascript:y)',
        '![x](data:y)',
        '<javascript:z>',
      ),
      fc.string({ maxLength: 4, unit: 'binary' }),
    )
    const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (markdown) => {
        const { html } = renderMarkdown(markdown)
        expectHarmless(html)
        for (const { attributes } of tagsOf(html))
          expect(attributes).not.toMatch(/"\s*(?:javascript|data|vbscript):/i)
      }),
      { numRuns: 3_000 },
    )
  })
})

const fill = (part: string, length = 20_000) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length)

describe('a text that is built to cost much', () => {
  // Each of these took micromark alone from 0.2 to 8 seconds, or made up to 111 MB of HTML.
  const bombs = [
    '>',
    '> ',
    '- ',
    '+ ',
    '1. ',
    '> - ',
    '*a ',
    '*_',
    '*a_',
    '**a ',
    'a* ',
    '~~a~~',
    '[',
    '![',
    '[a](',
    '[a](<b',
    '[a](b)',
    '[a](b "',
    '[a][b]',
    '[a]: b\n',
    '`a',
    '<',
    '<!--',
    '<a href="',
    'a <?',
    '&',
    '"',
    '\n',
    'a\n',
    'a\n\n',
    '-\n',
    '- a\n\n  b\n\n',
    '# a\n',
    'a\n=\n',
    '|',
    '|a',
    '```\n',
    '~~~ a\n',
    '> |a|\n> |-|\n',
    '_a',
    'http://a.b ',
    'www.a.b ',
    'a@b.c ',
    'a_',
    '\\*',
    '[www.a.b ',
    '[![a](b)](c)',
    '*',
    '`',
    '\t',
    ' ',
  ].map((part): [string, string] => [`20,000 × ${JSON.stringify(part)}`, fill(part)])
  test.each<[string, string]>([
    ...bombs,
    ['closed brackets', fill('[', 10_000) + fill(']', 10_000)],
    ['nested emphasis', fill('*a ', 10_000) + fill('a* ', 10_000)],
    ['mixed emphasis', fill('*a _b ~~c ', 10_000) + fill('d~~ e_ f* ', 10_000)],
    ['an address with entities', `http://a.b/${fill('&amp;', 19_000)}x`],
    ['an address with dots', `http://a.b/${fill('.', 19_000)}x`],
    ['a wide table', `${fill('|a', 6_600)}|\n${fill('|-', 6_600)}|\n${fill('|\n', 6_600)}`],
    ['lazy lines in deep quotes', `${fill('>', 100)}a\n${fill('a\n', 19_000)}`],
    [
      'deep indented lists',
      Array.from({ length: 150 }, (_, n) => `${' '.repeat(2 * n)}- a`).join('\n'),
    ],
    [
      'backticks of all lengths',
      Array.from({ length: 190 }, (_, n) => '`'.repeat(n + 1)).join(' '),
    ],
    [
      'references to a long address',
      `[a]: http://b.c/${fill('d', 10_000)}\n\n${fill('[a] ', 1_000)}`,
    ],
    ['emphasis behind a fence that is none', `   \`\`\`\na\n\`\`\`\n${fill('*_', 19_000)}`],
    [
      'emphasis behind a fence in a list',
      `- a\n  \`\`\`\nb\n\`\`\`\n\`\`\`\n${fill('*_', 19_000)}`,
    ],
    ['long runs of stars', `${fill('*', 8_000)}a${fill('*', 8_000)}`],
    ['words after an open bracket', `[ www.a.b ${fill('h ', 19_000)}`],
    ['many nested lists', fill(`${'- '.repeat(9)}a\n`)],
    ['a million letters', fill('a ', 1_000_000)],
  ])('comes out soon, harmless and bounded: %s', (_, text) => {
    const before = process.cpuUsage()
    const { html } = renderMarkdown(text)
    // Measured: below 150 ms each. The bound is wide, so that a busy machine does not fail it.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_500)
    expect(html.length).toBeLessThan(Math.max(200_000, text.length * 7))
    expectHarmless(html)
  })

  test('becomes plain paragraphs in which nothing is lost', () => {
    const { html, links } = renderMarkdown(`<a>\nb https://c.example\n\n${fill('*_', 2_000)}`)
    expect(html).toBe(`<p>&lt;a&gt;<br>b https://c.example</p>\n<p>${fill('*_', 2_000)}</p>`)
    expect(links).toBe(1)
  })

  test('is not a long honest post', () => {
    const part =
      '## Pay\n\nIt is **low**, see [this](https://a.example/b), and `so` on.\n\n- one\n- two *three*\n\n> quoted\n\n'
    expect(
      renderMarkdown(fill(`${part}${'Many honest words follow. '.repeat(20)}\n\n`)).html,
    ).toContain('<h4>')
    const code = `\`\`\`\n${fill('a[i] = *b_c | d;\n', 15_000)}\n\`\`\`\n\nwhat *is* this?`
    expect(renderMarkdown(code).html).toContain('<em>is</em>')
  })
})
