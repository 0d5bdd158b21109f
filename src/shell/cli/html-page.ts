/** A page in one file, without scripts or anything from elsewhere. `body` is markup, `title` is text. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; max-width: 70em; color: #222; background: #fff; }
table { border-collapse: collapse; } td, th { padding: 0.1em 0.8em; text-align: left; } td.n { text-align: right; }
svg text { font: 11px system-ui, sans-serif; } .on { fill: #b5452c; } .off { fill: #9aa5ad; } .unknown { fill: #d9a441; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`;
}

/** Text as it may stand in markup and in attributes. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
