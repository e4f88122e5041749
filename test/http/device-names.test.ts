import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inWords } from '../../src/http/access/device.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit}`
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit}`

const names: [userAgent: string, name: string][] = [
  ['curl/8.5.0', 'curl'],
  ['okhttp/4.12.0', 'OkHttp'],
  ['python-requests/2.32.3', 'python-requests'],
  ['PostmanRuntime/7.39.0', 'Postman'],
  ['Go-http-client/2.0', 'Go'],
  ['node', 'Node.js'],
  ['Wget/1.21.4', 'Wget'],
  ['Shop/42 CFNetwork/1410.0.3 Darwin/22.6.0', 'Shop'],
  ['Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/AP1A)', 'Android app on Android'],
  ['Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506', 'PowerShell on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.1', 'PowerShell on Windows'],
  [`${windows} Teams/1.6.00.24078 Chrome/114.0.5735.289 Electron/25.8.4 Safari/537.36`, 'Microsoft Teams on Windows'],
  [`${windows} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0 Teams/24152.412`, 'Microsoft Teams on Windows'],
  [`${mac} Code/1.95.3 Chrome/128.0.6613.186 Electron/32.2.1 Safari/537.36`, 'Visual Studio Code on macOS'],
  [`${mac} Obsidian/1.7.4 Chrome/128.0.6613.186 Electron/32.2.1 Safari/537.36`, 'Obsidian on macOS'],
  ['Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/bot)', 'FooBot'],
  [`Mozilla/5.0 ${webKit.slice(0, -1)}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`, 'GPTBot'],
  ['Mozilla/5.0', ''],
  ['Mozilla/5.0 (unknown)', ''],
  ['-', ''],
  ['evil.example/1', ''],
  ['Mozilla/5.0 (compatible; evil.example/1)', ''],
  ['Mozilla/5.0 (compatible; Example Support call 0800 123 456 now;)', ''],
  [`${windows} Chrome/126.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${windows} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`, 'Microsoft Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.1; Trident/6.0)', 'Internet Explorer on Windows'],
  ['Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18', 'Opera on Windows'],
]

for (const [userAgent, name] of names)
  test(`the device of ${userAgent.slice(-60)} is "${name}"`, () => assert.equal(inWords(userAgent), name))
