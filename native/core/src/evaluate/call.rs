//! The arguments of a call after its inputs: k and the options of each row.

use crate::catalogue::measures::{NamedItemMeasure, item_measures};
use crate::catalogue::{Function, Output};
use crate::column::Column;
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::options::Options;
use crate::settings::Settings;
use crate::types::Type;

/// A call whose number of arguments, k and options have been checked.
pub struct Call<'a, C> {
    pub function: &'a Function,
    /// The cutoff of each row; `None` if the call has no k.
    k: Option<Argument<'a, C>>,
    /// For functions of several k: the list of k of each row, and the elements of these lists.
    ks: Option<(Argument<'a, C>, C)>,
    /// The text of the measures of each row; `None` if the function takes none.
    measures: Option<Argument<'a, C>>,
    /// The text of the options of each row; `None` if the call has none.
    options: Option<Argument<'a, C>>,
}

impl<'a, C: Column> Call<'a, C> {
    /// Checks the number of arguments and the types of k and options.
    pub fn new(function: &'a Function, columns: &'a [C]) -> Result<Self, Error> {
        let inputs = function.inputs().len();
        let (least, most) = (function.required(), function.arguments().len());
        // Beside the inputs, k and options may come: a k that the function does not take has an error of its own.
        if columns.len() < least || columns.len() > inputs + 2 {
            bail!("takes {least} to {most} arguments ({}), got {}", function.signature(), columns.len());
        }
        let mut call = Self { function, k: None, ks: None, measures: None, options: None };
        let mut rest = &columns[inputs..];
        if let (Output::MetricsAt, [ks, after @ ..]) = (function.output, rest) {
            if ks.kind().element().is_none_or(|kind| kind.check_k().is_err()) {
                bail!("ks" => "ks must be a list of BIGINT, got {}", ks.kind());
            }
            call.ks = Some((Argument::new(ks), ks.elements()?));
            rest = after;
        }
        if let (Output::Measures, [measures, after @ ..]) = (function.output, rest) {
            if !matches!(measures.kind(), Type::Text | Type::Null) {
                bail!("measures" => "measures must be a text, got {}", measures.kind());
            }
            call.measures = Some(Argument::new(measures));
            rest = after;
        }
        for (index, column) in rest.iter().enumerate() {
            let may_be_k = index == 0 && call.ks.is_none() && call.measures.is_none();
            match column.kind() {
                Type::Null => {} // no k, or no options
                Type::Text if call.options.is_none() => call.options = Some(Argument::new(column)),
                kind if may_be_k => {
                    kind.check_k()?;
                    call.k = Some(Argument::new(column));
                }
                kind => bail!("options" => "options must be one text after k, got {kind}"),
            }
        }
        Ok(call)
    }

    /// Whether all rows have the same settings: k, the list of k and the options are each a single value or not given.
    pub fn has_constant_settings(&self) -> bool {
        let ks = self.ks.as_ref().map(|(ks, _)| ks);
        let arguments = [self.k.as_ref(), ks, self.measures.as_ref(), self.options.as_ref()];
        arguments.into_iter().flatten().all(Argument::is_constant)
    }

    /// Brings the settings to those of row `index`, from those of another row or, for row 0, any of the function.
    pub fn resolve(&self, index: usize, settings: &mut Settings) -> Result<(), Error> {
        let may_change = |argument: &Argument<C>| index == 0 || !argument.is_constant();
        let text = match &self.options {
            Some(options) if may_change(options) => {
                Some(options.column.text(options.place(index))?.unwrap_or_default())
            }
            None if index == 0 => Some(""),
            _ => None,
        };
        if let Some(measures) = &self.measures {
            // A call names its measures once, so they are not read again for each row.
            let options = text.map_or(settings.written.clone().unwrap_or_default(), str::to_owned);
            let named = match measures.column.kind() {
                Type::Null => None,
                _ => measures.column.text(measures.place(index))?,
            };
            let is_same = settings.measures.written.as_deref() == named
                && settings.written.as_deref() == Some(&options);
            return if is_same { Ok(()) } else { self.function.set_measures(settings, named, &options) };
        }
        if let Some(text) = text
            && settings.written.as_deref() != Some(text)
        {
            self.function.set_options(settings, text)?;
        }
        if let Some(k) = self.k.as_ref().filter(|k| may_change(k)) {
            settings.set_ks(std::iter::once(self.cutoff(k.column.integer(k.place(index))?)))?;
        }
        if let Some((lists, elements)) = self.ks.as_ref().filter(|(ks, _)| may_change(ks)) {
            let span = lists.span(index);
            settings.no_ks = span.is_none();
            let ks = span.unwrap_or_default();
            settings.set_ks(ks.map(|element| self.cutoff(elements.integer(element)?)))?;
        }
        Ok(())
    }

    /// The measures of items of row `index`; `None` for a NULL.
    pub fn item_measures(&self, index: usize) -> Result<Option<Vec<NamedItemMeasure>>, Error> {
        let Some(measures) = self.measures.as_ref().filter(|named| *named.column.kind() != Type::Null) else {
            return Ok(None);
        };
        measures.column.text(measures.place(index))?.map(item_measures).transpose()
    }

    /// The options of row `index`.
    pub fn parse_options(&self, index: usize) -> Result<Options, Error> {
        let options = self.options.as_ref();
        let text = options.map_or(Ok(None), |options| options.column.text(options.place(index)))?;
        self.function.parse(text.unwrap_or_default())
    }

    /// Whether at most k varies from row to row.
    pub fn varies_by_k(&self) -> bool {
        self.ks.is_none()
            && self.measures.is_none()
            && self.options.as_ref().is_none_or(Argument::is_constant)
    }

    /// The k of row `index`; `None` if it is NULL or the call has no k.
    pub fn k(&self, index: usize) -> Result<Option<i64>, Error> {
        self.k.as_ref().map_or(Ok(None), |k| k.column.integer(k.place(index)))
    }

    /// Whether row `index`, which is not row 0, may have other settings than the row before it: its k or the text of
    /// its options differs, or it has a list of k, which is not compared.
    pub fn changes(&self, index: usize) -> Result<bool, Error> {
        let varying = |argument: &&Argument<'a, C>| !argument.is_constant();
        if let Some(k) = self.k.as_ref().filter(varying)
            && k.column.integer(index)? != k.column.integer(index - 1)?
        {
            return Ok(true);
        }
        if let Some(options) = self.options.as_ref().filter(varying)
            && options.column.text(index)? != options.column.text(index - 1)?
        {
            return Ok(true);
        }
        let several = [self.ks.as_ref().map(|(ks, _)| ks), self.measures.as_ref()];
        Ok(several.into_iter().flatten().any(|argument| !argument.is_constant()))
    }

    /// An error unless the column has lists whose elements fit. The arguments of an aggregate are such elements, so
    /// errors of an aggregate name the type of the elements.
    pub fn check_lists(&self, argument: &str, kind: &Type, fits: fn(&Type) -> bool) -> Result<(), Error> {
        match kind.element() {
            Some(element) if fits(element) => Ok(()),
            Some(element) if self.function.form.spec().is_aggregate => {
                let or_boolean = if fits(&Type::Boolean) { " or a boolean" } else { "" };
                bail!(argument => "{argument} must be a number{or_boolean}, got {element}")
            }
            _ => bail!(argument => "{argument} must be a list of numbers, got {kind}"),
        }
    }

    /// The cutoff for a k; an error unless the function allows it.
    fn cutoff(&self, k: Option<i64>) -> Result<Option<usize>, Error> {
        k.map(|k| self.function.cutoff(k)).transpose()
    }
}
