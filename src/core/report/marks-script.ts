/**
 * Collects the marks of a dossier page and saves them as JSON. It reads only what the form holds, writes only text, loads nothing,
 * and sends nothing.
 */
export const marksScript = `
'use strict';
(function () {
  const form = document.getElementById('marks');
  const count = document.getElementById('count');
  const shown = document.getElementById('shown');
  function collect() {
    const marks = [];
    for (const set of form.querySelectorAll('fieldset')) {
      const chosen = set.querySelector('input[type=radio]:checked');
      const why = set.querySelector('input[type=text]').value.trim();
      if (chosen === null && why === '') continue;
      marks.push({ kind: set.dataset.kind, id: set.dataset.id, mark: chosen === null ? null : chosen.value, why: why });
    }
    return {
      schema: 'reveille.marks.v1',
      archive: form.dataset.archive,
      made: { program: form.dataset.program, catalogue: form.dataset.catalogue, seed: Number(form.dataset.seed) },
      by: form.elements.namedItem('name').value.trim(),
      marks: marks,
    };
  }
  function tell() {
    const all = form.querySelectorAll('fieldset').length;
    const done = collect().marks.filter(function (mark) { return mark.mark !== null; }).length;
    count.textContent = done + ' of ' + all + ' marked';
  }
  form.addEventListener('input', tell);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  document.getElementById('save').addEventListener('click', function () {
    const text = JSON.stringify(collect(), null, 2) + '\\n';
    shown.hidden = false;
    shown.textContent = text;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    link.download = 'reveille-marks.json';
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
  });
  tell();
})();
`;
